/** Finds the letter that keeps a name from being known: one of the other alphabet, or one that differs from the name that is meant. */
import { foldCase } from '@dala/model'

const latin = /\p{Script=Latin}/u
const cyrillic = /\p{Script=Cyrillic}/u
const words = /\p{L}+/gu

/** The letters of a word that are of another alphabet than most of it. */
function ofOtherAlphabet(word: readonly string[]): number[] {
  const placesOf = (alphabet: RegExp) => [...word.keys()].filter((place) => alphabet.test(word[place] ?? ''))
  const [first, second] = [placesOf(latin), placesOf(cyrillic)]
  if (first.length === second.length) return []
  return first.length < second.length ? first : second
}

/** The one letter that a text has in place of another one, or beside the letters of a name. */
function onlyDifference(text: readonly string[], name: readonly string[]): number | undefined {
  const more = text.length - name.length
  if (more !== 0 && more !== 1) return undefined
  const place = text.findIndex((letter, index) => letter !== name[index])
  if (place < 0) return undefined
  const isRestSame = text.slice(place + 1).every((letter, index) => letter === name[place + 1 - more + index])
  return isRestSame ? place : undefined
}

/**
 * Finds the letters of a text that are probably wrong.
 *
 * @param text - As the file has it.
 * @param names - Spellings of the name that is probably meant; none where no single one is.
 * @returns Their places among the characters of the text, from 0; empty where nothing stands out.
 */
export function wrongLetters(text: string, names: readonly string[] = []): number[] {
  const mixed = [...text.matchAll(words)].flatMap(({ 0: word, index }) => {
    const start = Array.from(text.slice(0, index)).length
    return ofOtherAlphabet([...word]).map((place) => start + place)
  })
  if (mixed.length > 0) return mixed
  const letters = [...text].map(foldCase)
  for (const name of names) {
    const place = onlyDifference(letters, [...name].map(foldCase))
    if (place !== undefined) return [place]
  }
  return []
}
