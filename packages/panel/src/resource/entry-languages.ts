/** The languages of a record, those of them that are outdated, and the record in one language. */
import { type Entry, isLocale, type Locale } from '@dala/model'

/** Entries of a record's document in all languages, the record's own entry first. */
function familyOf(entry: Entry): unknown[] {
  const translations: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry, ...translations]
}

/** Languages of a record, its own language first. */
export function languagesOf(entry: Entry): Locale[] {
  return familyOf(entry).flatMap((member) =>
    typeof member === 'object' && member !== null && 'locale' in member && isLocale(member.locale)
      ? [member.locale]
      : [],
  )
}

/** The languages of a record that are older than the one they were translated from (contract §8). */
export function outdatedLocalesOf(entry: Entry): Locale[] {
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

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

/** The record in a language, with its other languages attached; unchanged when it has no such language. */
export function entryInLanguage(record: Entry, language: Locale): Entry {
  const translations: unknown[] = Array.isArray(record.localizations) ? record.localizations : []
  const translation = translations.filter(isEntry).find(({ locale }) => locale === language)
  if (!translation) return record
  const { localizations: _family, ...fields } = record
  return {
    ...record,
    ...translation,
    localizations: [fields, ...translations.filter((otherTranslation) => otherTranslation !== translation)],
  }
}
