/** Rows of a course's learners as a table, and as cards on a phone. */
import { formatCertificateNumber, type MessageId } from '@dala/model'
import type { LearnerRow } from '@dala/model/api/progress'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import Download from 'lucide-react/icons/download'
import { cx } from '../../../lib/class-names.ts'
import { formatDate, formatDateTime, formatPercent } from '../../../lib/format.ts'
import { useLocale, useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { loadCertificate } from './api.ts'
import { type LearnerColumn, learnerColumns, type ProgressState } from './progress-search.ts'
import { ShareBar } from './share-bar.tsx'
import { useDownload } from '../../../resource/list/use-download.ts'

export const columnLabels = {
  name: 'learning.learners.name',
  region: 'field.region',
  percent: 'learning.learners.share',
  last_activity: 'learning.learners.lastActivity',
  completed_at: 'learning.learners.completed',
} as const satisfies Readonly<Record<LearnerColumn, MessageId>>

interface RowsProps {
  course: number
  rows: readonly LearnerRow[]
  state: ProgressState
}

/** Class of a column; a narrow table shows the region of a learner below the name. */
const columnClass = (column: LearnerColumn) => column === 'region' && 'max-lg:hidden'

const cell = 'border-t border-line px-2.5 py-2 text-start align-middle first:ps-4 last:pe-4'

export function LearnerTable({ course, rows, state }: RowsProps) {
  const t = useT()
  return (
    <ScrollRegion aria-label={t('learning.learners')} className="overflow-x-auto -outline-offset-2">
      <table className="w-full min-w-[620px] border-separate border-spacing-0">
        <thead>
          <tr className="text-sm text-muted">
            {learnerColumns.map((column) => (
              <SortedHead key={column} column={column} state={state} />
            ))}
            <th scope="col" className={cx(cell, 'font-medium')}>
              {t('certificate.title')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" className={cx(cell, 'min-w-[14ch] font-semibold wrap-break-word')}>
                <bdi>{row.name}</bdi>
                <span className="block text-sm font-normal text-muted lg:hidden">{row.region}</span>
              </th>
              <td className={cx(cell, columnClass('region'))}>{row.region}</td>
              <td className={cx(cell, 'min-w-[132px]')}>
                <LearnerShare percent={row.percent} />
              </td>
              <td className={cx(cell, 'tabular-nums')}>{formatDateTime(row.last_activity)}</td>
              <td className={cx(cell, 'tabular-nums')}>{formatDate(row.completed_at)}</td>
              <td className={cell}>
                <Certificate course={course} learner={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function SortedHead({ column, state: { search, change } }: { column: LearnerColumn; state: ProgressState }) {
  const t = useT()
  const { sort } = search
  const isActive = sort.column === column
  const Icon = !isActive ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={isActive ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={cx(cell, 'font-medium', columnClass(column))}
    >
      <button
        type="button"
        onClick={() => change({ sort: { column, descending: isActive && !sort.descending }, page: 1 })}
        className={cx(
          'min-h-6 text-start hover:text-ink pointer-coarse:min-h-11',
          isActive && 'font-semibold text-ink',
        )}
      >
        {t(columnLabels[column])}
        <span className="whitespace-nowrap">
          {'\u00a0'}
          <Icon size={14} aria-hidden className="inline align-[-2px]" />
        </span>
      </button>
    </th>
  )
}

export function LearnerCards({ course, rows }: RowsProps) {
  const t = useT()
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id} className="grid gap-1.5 border-t border-line px-3.5 py-3">
          <div className="flex items-baseline justify-between gap-3">
            <h3 className="min-w-0 font-semibold wrap-anywhere">
              <bdi>{row.name}</bdi>
            </h3>
            {row.region ? <span className="shrink-0 text-sm text-muted">{row.region}</span> : null}
          </div>
          <LearnerShare percent={row.percent} />
          <p className="text-sm text-muted tabular-nums">
            {t('learning.learners.lastActivity')}: {formatDateTime(row.last_activity)}
            {row.completed_at === null ? null : (
              <>
                <br />
                {t('learning.learners.completed')}: {formatDate(row.completed_at)}
              </>
            )}
          </p>
          <Certificate course={course} learner={row} />
        </li>
      ))}
    </ul>
  )
}

function LearnerShare({ percent }: { percent: number }) {
  const locale = useLocale()
  return (
    <span className="flex items-center gap-2.5">
      <span className="min-w-[5ch] text-end tabular-nums">{formatPercent(locale, percent)}</span>
      <ShareBar value={percent} max={100} className="min-w-16 flex-1" />
    </span>
  )
}

/** The number of a certificate; a press downloads its PDF. */
function Certificate({ course, learner: { id, name, certificate } }: { course: number; learner: LearnerRow }) {
  const t = useT()
  const locale = useWrittenLocale()
  const downloadCertificate = useDownload(() => loadCertificate(course, id, locale))
  if (certificate === null) return null
  const number = formatCertificateNumber(certificate)
  return (
    <button
      type="button"
      aria-label={t('learning.learners.download', { number, name })}
      aria-busy={downloadCertificate.isPending || undefined}
      onClick={() => {
        if (!downloadCertificate.isPending) downloadCertificate.mutate()
      }}
      className="inline-flex min-h-6 items-center gap-1.5 justify-self-start text-sm text-brand-text tabular-nums underline-offset-[3px] hover:underline pointer-coarse:min-h-11"
    >
      {downloadCertificate.isPending ? <Spinner /> : <Download size={15} aria-hidden className="shrink-0" />}
      <bdi dir="ltr" className="text-start max-md:whitespace-nowrap lg:whitespace-nowrap">
        {number}
      </bdi>
    </button>
  )
}
