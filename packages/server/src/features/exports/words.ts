/** Words of a file in the reader's language, from the catalogues that the panel has. */
import { type Locale, type MessageCandidates } from '@dala/model'
import en from '@dala/model/labels/en.json' with { type: 'json' }
import kaa from '@dala/model/labels/kaa.json' with { type: 'json' }
import ru from '@dala/model/labels/ru.json' with { type: 'json' }
import uz from '@dala/model/labels/uz.json' with { type: 'json' }

const catalogues: Readonly<Record<Locale, Readonly<Record<string, string>>>> = { en, ru, uz, kaa }

/** The first of the keys that has words; the last key itself where none has. Labels have no placeholders. */
export function wordsOf(language: Locale, keys: MessageCandidates): string {
  const words = catalogues[language]
  const key = keys.find((candidate) => Object.hasOwn(words, candidate))
  return (key === undefined ? undefined : words[key]) ?? keys.at(-1) ?? ''
}
