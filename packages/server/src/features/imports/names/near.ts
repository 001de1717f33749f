/**
 * Finds names that are spelled alike, in either alphabet; they are suggested to the user, never used without
 * a decision.
 */
import { editDistance, foldCase, searchKey } from '@dala/model'

/** Normalises case and spaces of a name: equal results are the same name. */
export const plainName = (name: string): string => foldCase(name.trim().replace(/[\s\u00a0]+/g, ' '))

/** Normalises a name to one spelling for both alphabets, without punctuation between words. */
const toSpelling = (name: string) =>
  searchKey(name)
    .replace(/[^\p{L}\p{N} ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Maximum number of compared letters: names are short, but a file may contain long ones. */
const maxComparedLetters = 60

/** Computes the similarity of two normalised names, from 0 to 1. */
function nameSimilarity(a: string, b: string): number {
  if (a === b) return 1
  if (a === '' || b === '') return 0
  const [longText, shortText] = a.length >= b.length ? [a, b] : [b, a]
  // A longer name that begins with the shorter one is likely: `чимбай` means `чимбайский район`.
  if (shortText.length >= 4 && longText.startsWith(shortText)) return 0.9
  const longestLength = Math.max(a.length, b.length)
  const maxDistance = Math.ceil(longestLength * 0.45)
  return 1 - editDistance(a, b, maxDistance) / longestLength
}

/** Returns the first word of a name; later words name the kind of place or thing. */
const firstWord = (name: string) => name.split(' ')[0] ?? ''

function scoreSpelling(a: string, b: string): number {
  const wholeSimilarity = nameSimilarity(a, b)
  const [firstWordOfA, firstWordOfB] = [firstWord(a), firstWord(b)]
  const isShort = firstWordOfA.length < 4 || firstWordOfB.length < 4
  return isShort || (firstWordOfA === a && firstWordOfB === b)
    ? wholeSimilarity
    : Math.max(wholeSimilarity, nameSimilarity(firstWordOfA, firstWordOfB) * 0.88)
}

const minSimilarity = 0.62
/** Minimum lead over the other candidates of a name that is suggested alone. */
const minSuggestionLead = 0.15
const maxOfferedNames = 3

export interface SpelledName<T> {
  key: string
  item: T
}

/** Normalises names, so that they can be compared with a typed name. */
export const spelledNames = <T>(names: Iterable<readonly [name: string, item: T]>): SpelledName<T>[] =>
  Array.from(names, ([name, item]) => ({ key: toSpelling(name).slice(0, maxComparedLetters), item }))

/**
 * Finds the existing names that an imported name probably means.
 *
 * @param name - The name as it was written.
 * @param candidates - The existing names.
 * @returns Nothing, one that stands out, or up to three, best first.
 */
export function suggestNames<T>(name: string, candidates: readonly SpelledName<T>[]): T[] {
  const key = toSpelling(name).slice(0, maxComparedLetters)
  if (key === '') return []
  const bestScoreById = new Map<T, number>()
  for (const { key: otherKey, item } of candidates) {
    const value = scoreSpelling(key, otherKey)
    if (value >= minSimilarity && value > (bestScoreById.get(item) ?? 0)) bestScoreById.set(item, value)
  }
  const rankedScores = [...bestScoreById].toSorted(([, a], [, b]) => b - a)
  const [bestScore, secondScore] = rankedScores
  if (!bestScore) return []
  if (!secondScore || bestScore[1] - secondScore[1] >= minSuggestionLead) return [bestScore[0]]
  return rankedScores
    .filter(([, value]) => bestScore[1] - value < minSuggestionLead)
    .slice(0, maxOfferedNames)
    .map(([item]) => item)
}
