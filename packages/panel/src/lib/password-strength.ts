/** How hard a password is to guess, roughly: a hint while typing, never a rule. */
import { foldCase } from '@dala/model'

export type Strength = 'weak' | 'fair' | 'strong'

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]

/** Runs such as "12345" and "aaaa", in which a letter tells the next one. */
function surprises(letters: readonly string[]): number {
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0)
  return codes.filter((code, index) => index === 0 || Math.abs(code - (codes[index - 1] ?? 0)) > 1).length
}

/** In: the password, and words that name the person. Long ones of several kinds are strong; runs and names count little. */
export function strengthOf(password: string, names: readonly string[] = []): Strength {
  const folded = foldCase(password)
  const named = names.some((name) => name.length > 2 && folded.includes(foldCase(name)))
  const letters = Array.from(password)
  const length = Math.min(surprises(letters), new Set(letters).size * 2)
  const variety = kinds.filter((kind) => kind.test(password)).length
  const score = length + (variety - 1) * 2 - (named ? 6 : 0)
  return score < 9 ? 'weak' : score < 14 ? 'fair' : 'strong'
}
