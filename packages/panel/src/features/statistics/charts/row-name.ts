/** Names of the rows of a report's tables. */
import { dimensionRowLabel, isLocale, localeNames, type ReportRow } from '@dala/model'
import { firstTranslation } from '../../../lib/i18n.ts'

/**
 * Name of a report's row: languages name themselves, codes have labels, records have names; null for a
 * deleted person.
 */
export function rowName(dim: string, { id, name }: Pick<ReportRow, 'id' | 'name'>): string | null {
  if (typeof id === 'number') return name
  return isLocale(id) ? localeNames[id] : firstTranslation(dimensionRowLabel(dim, id))
}
