/** How a word of one script becomes a word of the other: exceptions by stem first, then rules by letter. */
import { foldCase } from '../fold.ts'
import { capitalizeLike } from './letter-case.ts'

/** A pattern of small letters, which may look at its neighbours, and its replacement. */
export type LetterRule = readonly [pattern: string, replacement: string]

/** Apostrophes as they are typed; rules read each of them as U+02BC. */
export const apostrophes = "'‘’`ʻʼ´"
const anyApostrophe = new RegExp(`[${apostrophes}]`, 'g')

/** Returns a word in small letters and with one apostrophe; every letter stays in its place. */
export const smallWord = (word: string): string => foldCase(word).replaceAll(anyApostrophe, 'ʼ')

/** Stems in small letters and their spelling in the other script. */
type Stems = ReadonlyMap<string, string>

/**
 * Reads the exceptions of a language: pairs of a Latin and a Cyrillic stem, joined by a colon and separated
 * by spaces.
 */
export const parseStems = (text: string): LetterRule[] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [latin = '', cyrillic = ''] = pair.split(':')
      return [smallWord(latin), cyrillic]
    })

/** Returns the longest stem that a word begins with. */
function stemOf(small: string, stems: Stems, longest: number): string | undefined {
  for (let length = Math.min(longest, small.length); length > 1; length -= 1) {
    const stem = small.slice(0, length)
    if (stems.has(stem)) return stem
  }
  return undefined
}

interface Orthography {
  stems?: readonly LetterRule[]
  /** Rules that look at more than one letter; the first that matches at a place wins. */
  rules: readonly LetterRule[]
  /** Letters, and at the same places the letters that replace them. */
  letters: readonly [from: string, to: string]
}

/** Matches a vowel of either script. */
const vowel = /[aáeiıoóuúаәеёиоөуүыэюя]/

/**
 * Makes the function that converts one word: a stem from the exceptions first, then rules and letters. A stem
 * that ends with a soft sign loses it before a vowel: рольга, but роли. What has no rule stays.
 *
 * @returns A function of the word, and of its small letters where they do not follow from the word.
 */
export function wordConverter(orthography: Orthography): (word: string, small?: string) => string {
  const stems: Stems = new Map(orthography.stems ?? [])
  const longest = Math.max(0, ...Array.from(stems.keys(), ({ length }) => length))
  const { rules } = orthography
  const pattern = new RegExp([...rules.map(([source]) => `(${source})`), '\\p{L}'].join('|'), 'gu')
  const targets = [...orthography.letters[1]]
  const letters = new Map(Array.from(orthography.letters[0], (letter, index) => [letter, targets[index] ?? '']))
  const replacementOf = ([part, ...groups]: RegExpExecArray) => {
    const rule = rules[groups.findIndex((group) => group !== undefined)]
    return rule ? rule[1] : letters.get(part)
  }
  return (word, small = smallWord(word)) => {
    const stem = stemOf(small, stems, longest) ?? ''
    const spelling = stems.get(stem) ?? ''
    const isSoftened = spelling.endsWith('ь') && vowel.test(small[stem.length] ?? '')
    let text = capitalizeLike(isSoftened ? spelling.slice(0, -1) : spelling, word, 0, stem.length)
    let start = stem.length
    for (const match of small.matchAll(pattern)) {
      const end = match.index + match[0].length
      const replacement = replacementOf(match)
      if (match.index < start || replacement === undefined) continue
      text += word.slice(start, match.index) + capitalizeLike(replacement, word, match.index, end)
      start = end
    }
    return text + word.slice(start)
  }
}
