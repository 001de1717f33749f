/** Which languages a record of a list has, and which of them are outdated. */
import { type Entry, isLocale, type Locale } from '@dala/model'

/** The entries of a record's family, its own first. */
function familyOf(entry: Entry): unknown[] {
  const others: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry, ...others]
}

/** The languages of a record, its own first. */
export function languagesOf(entry: Entry): Locale[] {
  return familyOf(entry).flatMap((member) =>
    typeof member === 'object' && member !== null && 'locale' in member && isLocale(member.locale)
      ? [member.locale]
      : [],
  )
}

/** Those of them that are older than what they were translated from (contract §8). */
export function outdatedOf(entry: Entry): Locale[] {
  return familyOf(entry).flatMap((member) =>
    typeof member === 'object' &&
    member !== null &&
    'outdated' in member &&
    member.outdated === true &&
    'locale' in member &&
    isLocale(member.locale)
      ? [member.locale]
      : [],
  )
}
