/** Rows that a bulk job refuses, each with its reason and a link to its record. */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { issueMessage } from '../../../lib/issue-message.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { recordAddress } from '../../screen-address.ts'
import { type BulkJob, type BulkRow, rowsOf } from './api.ts'

/** Maximum number of refused rows shown in the dialog. */
const maxRows = 100

/** Reason why a bulk job refuses a row, in the user's language. */
export function reasonOf({ code = '', message = '', issues = [] }: BulkRow): string {
  const reasons = issues.map((issue) => issueMessage(issue.code, issue.params ?? {}, issue.message))
  return reasons.length > 0 ? [...new Set(reasons)].join(' ') : issueMessage(code, {}, message)
}

export function RefusedRows({ screen, job }: { screen: Screen; job: BulkJob }) {
  const t = useT()
  const locale = useLocale()
  const { data } = useQuery({
    queryKey: ['bulk', job.id, 'refused'],
    queryFn: () => rowsOf(job.id, 'refused', maxRows),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data) return <Spinner />
  const remainingCount = data.total - data.rows.length
  return (
    <ScrollRegion className="max-h-60 overflow-y-auto rounded-2 border border-line" aria-label={t('bulk.refusedRows')}>
      <ul className="divide-y divide-line text-sm">
        {data.rows.map((row) => (
          <li key={row.id} className="px-3 py-2">
            <Link {...recordAddress(screen, row.id)} className="font-semibold text-brand-text hover:underline">
              <bdi>{row.name ?? t('record.untitled', { id: formatNumber(locale, row.id) })}</bdi>
            </Link>
            <span className="block text-muted">{reasonOf(row)}</span>
          </li>
        ))}
        {remainingCount > 0 ? (
          <li className="px-3 py-2 text-muted">{t('bulk.andMore', { count: remainingCount })}</li>
        ) : null}
      </ul>
    </ScrollRegion>
  )
}
