/** Names of the rows of a report's tables. */
import { dimRowLabel, isLocale, localeNames, type ReportRow } from '@dala/model'
import { tFirst } from '../../../lib/i18n.ts'

/**
 * Name of a report's row: languages name themselves, codes have labels, records have names; null for a
 * deleted person.
 */
export function nameOf(dim: string, { id, name }: Pick<ReportRow, 'id' | 'name'>): string | null {
  if (typeof id === 'number') return name
  return isLocale(id) ? localeNames[id] : tFirst(dimRowLabel(dim, id))
}
