/**
 * Finds the wrong letter in an unknown name: one of the other alphabet, or one that differs from the intended
 * name.
 */
import { foldCase } from '@dala/model'

const latin = /\p{Script=Latin}/u
const cyrillic = /\p{Script=Cyrillic}/u
const wordPattern = /\p{L}+/gu

/** Returns the letters of a word that are not of its main alphabet. */
function findOtherAlphabet(wordLetters: readonly string[]): number[] {
  const placesOf = (alphabet: RegExp) =>
    [...wordLetters.keys()].filter((position) => alphabet.test(wordLetters[position] ?? ''))
  const [latinPositions, cyrillicPositions] = [placesOf(latin), placesOf(cyrillic)]
  if (latinPositions.length === cyrillicPositions.length) return []
  return latinPositions.length < cyrillicPositions.length ? latinPositions : cyrillicPositions
}

/** Returns the only letter that is replaced or added in a text compared with a name. */
function findSingleDifference(text: readonly string[], name: readonly string[]): number | undefined {
  const lengthDifference = text.length - name.length
  if (lengthDifference !== 0 && lengthDifference !== 1) return undefined
  const position = text.findIndex((letter, index) => letter !== name[index])
  if (position < 0) return undefined
  const isRestSame = text
    .slice(position + 1)
    .every((letter, index) => letter === name[position + 1 - lengthDifference + index])
  return isRestSame ? position : undefined
}

/**
 * Finds the letters of an imported name that are probably wrong.
 *
 * @param text - The text in the file.
 * @param names - Spellings of the intended name; empty when it is ambiguous.
 * @returns Their positions among the characters of the text, from 0; empty when none stands out.
 */
export function wrongLetters(text: string, names: readonly string[] = []): number[] {
  const mixedWords = [...text.matchAll(wordPattern)].flatMap(({ 0: matchedText, index }) => {
    const start = Array.from(text.slice(0, index)).length
    return findOtherAlphabet([...matchedText]).map((position) => start + position)
  })
  if (mixedWords.length > 0) return mixedWords
  const letters = [...text].map(foldCase)
  for (const name of names) {
    const position = findSingleDifference(letters, [...name].map(foldCase))
    if (position !== undefined) return [position]
  }
  return []
}
