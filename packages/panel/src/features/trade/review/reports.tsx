/** Reports of readers on a post; each report is resolved separately. */
import { type Locale, type PostReport, readTranslations } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { reasonsQuery, invalidateQueue, reviewCalls } from './review-data.ts'

/** Labels of the reasons that a report gives, by their codes. */
export function useReasonLabels(): (code: string) => string {
  const locale = useLocale()
  const { data } = useQuery(reasonsQuery())
  return (code) => {
    const label = data?.entries.find((reason) => reason['code'] === code)?.['label']
    return labelIn(label, locale) || code
  }
}

const labelIn = (label: unknown, locale: Locale): string =>
  typeof label === 'string'
    ? label
    : typeof label === 'object' && label !== null
      ? (readTranslations(label, locale) ?? '')
      : ''

export function Reports({ id, reports }: { id: number; reports: readonly PostReport[] }) {
  const t = useT()
  const cache = useQueryClient()
  const labelOfReason = useReasonLabels()
  const settleReport = useMutation({
    mutationFn: ({ report, upheld }: { report: number; upheld: boolean }) =>
      reviewCalls.settleReport(id, report, upheld),
    meta: { inPlace: true, missed: t('moderation.notSettled') },
    onSettled: () => invalidateQueue(cache),
  })
  return (
    <section aria-labelledby="reports" className="rounded-2 border border-line">
      <h2 id="reports" className="border-b border-line px-3.5 py-2.5 font-semibold">
        {t('moderation.reports', { count: reports.length })}
      </h2>
      <ul>
        {reports.map((report) => (
          <li key={report.id} className="grid gap-1 px-3.5 py-2.5 not-first:border-t not-first:border-line">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <b className="font-semibold">{labelOfReason(report.reason)}</b>
              <time className="text-sm text-muted tabular-nums">{formatDateTime(report.at)}</time>
            </p>
            {report.text === null ? null : <p className="wrap-anywhere">{report.text}</p>}
            {report.settled_at === null ? (
              <p className="flex flex-wrap gap-x-4">
                <LinkButton onClick={() => settleReport.mutate({ report: report.id, upheld: true })}>
                  {t('moderation.uphold')}
                </LinkButton>
                <LinkButton onClick={() => settleReport.mutate({ report: report.id, upheld: false })}>
                  {t('moderation.dismiss')}
                </LinkButton>
              </p>
            ) : (
              <p className="text-sm text-muted">{t(report.upheld ? 'moderation.upheld' : 'moderation.dismissed')}</p>
            )}
          </li>
        ))}
      </ul>
      <FailureLine>{settleReport.error ? messageOfFailure(settleReport.error) : undefined}</FailureLine>
    </section>
  )
}
