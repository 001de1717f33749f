/** A rough estimate of how hard a password is to guess: a hint while typing, never a rule. */
import { foldCase } from '@dala/model'

export type PasswordStrength = 'weak' | 'fair' | 'strong'

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]

/** Counts letters that do not follow from the one before, as in runs such as "12345" and "aaaa". */
function countUnpredictable(letters: readonly string[]): number {
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0)
  return codes.filter((code, index) => index === 0 || Math.abs(code - (codes[index - 1] ?? 0)) > 1).length
}

/**
 * Rates a password. Long passwords with several kinds of characters are strong; runs and names add little.
 *
 * @param password - The password.
 * @param names - Words about the user, such as their name.
 */
export function strengthOf(password: string, names: readonly string[] = []): PasswordStrength {
  const normalized = foldCase(password)
  const containsName = names.some((name) => name.length > 2 && normalized.includes(foldCase(name)))
  const letters = Array.from(password)
  const length = Math.min(countUnpredictable(letters), new Set(letters).size * 2)
  const kindCount = kinds.filter((kind) => kind.test(password)).length
  const strengthScore = length + (kindCount - 1) * 2 - (containsName ? 6 : 0)
  return strengthScore < 9 ? 'weak' : strengthScore < 14 ? 'fair' : 'strong'
}
