/** Which languages a record of a list has. */
import { type Entry, isLocale, type Locale } from '@dala/model'

/** The languages of a record, its own first. */
export function languagesOf(entry: Entry): Locale[] {
  const others: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry, ...others].flatMap((member) =>
    typeof member === 'object' && member !== null && 'locale' in member && isLocale(member.locale)
      ? [member.locale]
      : [],
  )
}
