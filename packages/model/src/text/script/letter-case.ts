/** Capitals and small letters by table, because runtimes change the case of ı and Í wrongly. */
import { caseTable } from '../fold.ts'

const capitals = new Map<string, string>()
const smallLetters = [...caseTable.to]
for (const [index, capital] of [...caseTable.from].entries()) {
  const smallLetter = smallLetters[index] ?? capital
  if (!capitals.has(smallLetter)) capitals.set(smallLetter, capital)
}
const capitalLetters: ReadonlySet<string> = new Set(capitals.values())

/** Tells whether a letter is a capital. */
const isCapital = (letter: string): boolean => capitalLetters.has(letter)

/** Tells whether a letter is small and has a capital. */
const isSmall = (letter: string): boolean => capitals.has(letter)

const capitalOf = (letter: string) => capitals.get(letter) ?? letter

/**
 * Gives the text that replaces a part of a word the capitals of that part.
 *
 * @param text - The replacement, in small letters.
 * @param word - The word as it was written.
 * @param start - Place of the replaced part in the word.
 * @param end - Place after the replaced part.
 */
export function capitalizeLike(text: string, word: string, start: number, end: number): string {
  if (!isCapital(word[start] ?? '')) return text
  const [, second = ''] = word.slice(start, end)
  const following = isCapital(second) || isSmall(second) ? second : (word[end] ?? '')
  const isAllCapitals = isSmall(following) ? false : isCapital(following) || isCapital(word[start - 1] ?? '')
  if (isAllCapitals) return Array.from(text, capitalOf).join('')
  const [first = '', ...others] = text
  return capitalOf(first) + others.join('')
}
