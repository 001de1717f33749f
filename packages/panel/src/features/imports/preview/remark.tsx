/** Faults of a row or its outcome, with the suggested value. */
import type { ImportIssue, ImportRow } from '@dala/model'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleMinus from 'lucide-react/icons/circle-minus'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { openIssues } from './preview-grid.ts'
import { confirmKey, skipKey } from './row-corrections.ts'
import { SuggestionButton } from '../suggestion-button.tsx'
import type { ImportPreview } from './use-preview.ts'
import { issueText, suggestionText } from '../labels.ts'

const tones = {
  error: { Icon: CircleAlert, toneClass: 'text-danger-text' },
  warning: { Icon: TriangleAlert, toneClass: 'text-warning-text' },
  good: { Icon: CircleCheck, toneClass: 'text-success-text' },
  quiet: { Icon: CircleMinus, toneClass: 'text-muted' },
} as const

function Line({ tone, text, children }: { tone: keyof typeof tones; text: ReactNode; children?: ReactNode }) {
  const { Icon, toneClass } = tones[tone]
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
      <Icon size={15} aria-hidden className={`shrink-0 ${toneClass}`} />
      <span className="min-w-[10ch] flex-1">{text}</span>
      {children}
    </span>
  )
}

/** Issue that the preview shows for a row: an error before a warning. */
export function firstIssue(row: ImportRow): ImportIssue | undefined {
  const issues = openIssues(row)
  return issues.find(({ level }) => level === 'error') ?? issues[0]
}

export function RowOutcome({ row, preview }: { row: ImportRow; preview: ImportPreview }) {
  const t = useT()
  const locale = useLocale()
  const { corrections, columns, record } = preview
  const isFlagged = [skipKey, confirmKey].some((key) => corrections.get({ row: row.row, key }))
  const isPending = isFlagged || columns.some(({ field }) => corrections.get({ row: row.row, key: field.key }))
  if (isPending)
    return (
      <span className="flex items-center gap-2.5 text-sm text-muted">
        {corrections.count('waiting', 'saving') > 0 ? <Spinner size={15} /> : <TriangleAlert size={15} aria-hidden />}
        {t(corrections.count('failed', 'kept') > 0 ? 'import.notSent' : 'import.rechecking')}
      </span>
    )
  if (row.action === 'skip')
    return (
      <Line tone="quiet" text={t('import.leftOut')}>
        <LinkButton
          className="text-sm"
          aria-label={t('import.takeInRow', { row: row.row })}
          onClick={() => preview.skip(row.row, false)}
        >
          {t('import.takeIn')}
        </LinkButton>
      </Line>
    )
  const issue = firstIssue(row)
  if (issue) {
    const { suggestion, field } = issue
    const isWarning = issue.level === 'warning'
    const otherIssueCount = openIssues(row).length - 1
    const value = suggestion ? suggestionText(record.kind, issue, locale) : ''
    return (
      <Line
        tone={issue.level}
        text={
          <>
            {issueText(issue)}
            {otherIssueCount > 0 ? (
              <span className="text-muted"> {t('import.moreFaults', { count: otherIssueCount })}</span>
            ) : null}
          </>
        }
      >
        {suggestion && field !== null ? (
          <SuggestionButton
            aria-label={t(isWarning ? 'import.correctInRow' : 'import.acceptInRow', { value, row: row.row })}
            onClick={() => preview.put([{ row: row.row, key: field, text: suggestion.value }])}
          >
            {isWarning ? t('import.correctTo', { value }) : value}
          </SuggestionButton>
        ) : null}
        {isWarning ? (
          <LinkButton
            className="text-sm"
            aria-label={t('import.keepInRow', { row: row.row })}
            onClick={() => preview.confirm(row.row, true)}
          >
            {t('import.keep')}
          </LinkButton>
        ) : null}
      </Line>
    )
  }
  const [confirmedIssue] = row.is_confirmed ? row.issues : []
  if (confirmedIssue)
    return (
      <Line
        tone="good"
        text={
          <>
            <b className="font-semibold text-success-text">{t('import.confirmed')}</b>{' '}
            <span className="text-muted">{issueText(confirmedIssue)}</span>
          </>
        }
      >
        <LinkButton
          className="text-sm"
          aria-label={t('import.unconfirmInRow', { row: row.row })}
          onClick={() => preview.confirm(row.row, false)}
        >
          {t('import.unconfirm')}
        </LinkButton>
      </Line>
    )
  const correctedFields = Object.keys(row.corrected)
  const [firstField] = correctedFields
  if (firstField !== undefined) {
    const givenText = row.given[firstField] ?? ''
    return (
      <Line tone="good" text={t('import.corrected', { value: givenText === '' ? '—' : givenText })}>
        <LinkButton
          className="text-sm"
          aria-label={t('import.restoreRow', { row: row.row })}
          onClick={() => preview.put(correctedFields.map((key) => ({ row: row.row, key, text: null })))}
        >
          {t('import.restore')}
        </LinkButton>
      </Line>
    )
  }
  return row.is_hidden ? <Line tone="quiet" text={t('import.hiddenRow')} /> : null
}
