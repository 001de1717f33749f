/** Text of the intervals of a report. */
import type { ReportMeta } from '@dala/model'
import { formatDate } from '../../../lib/format.ts'

/** Text of an interval: a month by its number and year, other intervals by their first day. */
export function dayLabel(day: string | null, interval: ReportMeta['interval']): string {
  const date = formatDate(day)
  return interval === 'month' ? date.slice(3) : date
}
