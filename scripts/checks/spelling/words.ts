/** One spelling for each word, and one word for each idea: what writers used before, and what they write now. */
import type { CheckedLocale } from './texts.ts'

export interface WrongWord {
  locale: Extract<CheckedLocale, 'kaa' | 'uz'>
  /** Beginning of a word, or of several, in small letters; every ending of it is found. */
  wrong: string
  right: string
  /** Continuation of the beginning that is another word. */
  except?: string
  /** Whether only the texts of the product are checked, because the word has a second meaning elsewhere. */
  onlyInterface?: boolean
  /** Whether the word is wrong only where it is the whole text. */
  onlyAlone?: boolean
}

type Pair = readonly [wrong: string, right: string, more?: Pick<WrongWord, 'except' | 'onlyInterface' | 'onlyAlone'>]

const onlyInterface = { onlyInterface: true }

const karakalpak: readonly Pair[] = [
  // One spelling.
  ['aldıńǵı', 'aldınǵı'],
  ['aste', 'áste'],
  ['berli', 'beri'],
  ['birneshe', 'bir neshe'],
  ['eslepte', 'eskertpe'],
  ['heshbir', 'hesh bir'],
  ['heshkim', 'hesh kim'],
  ['heshnárse', 'hesh nárse'],
  ['heshqanday', 'hesh qanday'],
  ['heshqaysı', 'hesh qaysı'],
  ['máslahát', 'másláhát'],
  ['múrájaát', 'múrájat'],
  ['swm', 'sum'],
  // One word.
  ['adres', 'mánzil', { except: 'at' }],
  ['aldın kóriw', 'aldın ala kóriw'],
  ['aldınnan kóriw', 'aldın ala kóriw'],
  ['aynalandır', 'shaǵılıstır'],
  ['baha dizim', 'bahalar dizim'],
  ['bildiriwler', 'xabarlandırıwlar', onlyInterface],
  ['chat', 'sáwbet'],
  ['diyqan', 'fermer', onlyInterface],
  ['esap jazıw', 'akkaunt', onlyInterface],
  ['fiolet', 'qızǵılt kók'],
  ['góner', 'eskir'],
  ['júklenip atır', 'júklenbekte'],
  ['ketek', 'ketekshe', { except: 'she', onlyInterface: true }],
  ['kirgiz', 'kirit', onlyInterface],
  ['kóterme', 'kótere', onlyInterface],
  ['máselen', 'mısalı', onlyInterface],
  ['mediateka', 'kitapxana'],
  ['náwbet', 'gezek', onlyInterface],
  ['sayla', 'tańla', onlyInterface],
  ['sazlama', 'sazlaw'],
  ['toyǵın', 'qara, qızǵılt'],
  ['xabarlama', 'xabarlandırıw', onlyInterface],
  ['xabarnama', 'xabarlandırıw', onlyInterface],
  ['xosh kelip', 'xosh keld'],
  ['yaki', 'yamasa'],
]

const uzbek: readonly Pair[] = [
  ['chat', 'suhbat'],
  ['hammasi', 'barchasi', { onlyAlone: true, onlyInterface: true }],
  ['mediateka', 'kutubxona'],
  ['oktyabr', 'oktabr'],
  ['papka', 'jild'],
  ['sentyabr', 'sentabr'],
  ['xabarnoma', 'bildirishnoma', onlyInterface],
]

const inLocale =
  (locale: WrongWord['locale']) =>
  ([wrong, right, more]: Pair): WrongWord => ({ locale, wrong, right, ...more })

export const wrongWords: readonly WrongWord[] = [...karakalpak.map(inLocale('kaa')), ...uzbek.map(inLocale('uz'))]
