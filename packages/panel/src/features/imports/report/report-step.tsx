/** The report of an import: written and skipped rows, the most notable changes, and undo. */
import type { ImportTouched } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { isEntry, useTitleOf } from '../../../fields/field-display.tsx'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { listOfImport } from '../../../resource/import-list.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { type Import, rowsQuery } from '../import-api.ts'
import { ErrorsSheetButton, ImportHead, useStepDetails } from '../import-frame.tsx'
import { DistrictBars } from './district-bars.tsx'
import { NotableChanges } from './notable-changes.tsx'
import { StateChip } from '../state-labels.tsx'
import { StepsStrip } from '../steps-strip.tsx'
import { UndoImportButton, useUndoEffectText } from '../undo-import.tsx'
import { issueText } from '../labels.ts'

/** Maximum number of skipped rows that are listed; the sheet has all of them. */
const maxListedRows = 12

export function ReportStep({ record, title }: { record: Import; title: string }) {
  const t = useT()
  const details = useStepDetails(record)
  const nameOf = useTitleOf(resourceNamed('users'))
  const list = listOfImport(record.kind)
  const isReverted = record.state === 'reverted'
  const authorText = record.author && isEntry(record.author) ? `${nameOf(record.author)}, ` : ''
  return (
    <>
      <ImportHead
        record={record}
        title={title}
        total={`№ ${record.id}`}
        about={`${authorText}${formatDateTime(record.committed_at)}`}
        actions={
          <>
            <Link to="/app/import" search={{ kind: record.kind }} className={buttonClass('plain')}>
              {t('import.another')}
            </Link>
            {list === undefined ? null : (
              <Link to={`/app/${list}`} className={buttonClass('primary')}>
                {t('import.openList')}
              </Link>
            )}
          </>
        }
      />
      <Sheet className="overflow-hidden" aria-label={t('import.steps.report')}>
        <StepsStrip now="report" isFinished details={details} open={[]} />
        <Figures record={record} />
        {isReverted ? (
          <div className="flex flex-wrap items-center gap-3.5 border-t border-line bg-sunken px-[18px] py-3.5">
            <StateChip state={record.state} />
            <p className="text-sm text-muted">{t('import.revertedAt', { at: formatDateTime(record.reverted_at) })}</p>
          </div>
        ) : (
          <UndoBand record={record} />
        )}
      </Sheet>
      <div className="mt-4 grid items-start gap-5 min-[1100px]:grid-cols-[minmax(0,1fr)_372px]">
        <NotableChanges record={record} />
        <SkippedRows record={record} />
      </div>
    </>
  )
}

/** Large figure of written rows, above a bar and four lines for the kinds of rows. */
function Figures({ record }: { record: Import }) {
  const t = useT()
  const locale = useLocale()
  const {
    created_count: createdCount,
    updated_count: updatedCount,
    skipped_count: skippedCount,
    failed_count: failedCount,
  } = record
  const lines = [
    {
      name: 'created',
      count: createdCount ?? 0,
      colorClass: 'bg-[color-mix(in_oklch,var(--brand-ui)_62%,var(--surface))]',
    },
    { name: 'updated', count: updatedCount ?? 0, colorClass: 'bg-brand-ui' },
    { name: 'skipped', count: skippedCount ?? 0, colorClass: 'bg-line-strong' },
    { name: 'failed', count: failedCount ?? 0, colorClass: 'bg-danger' },
  ] as const
  const writtenRowCount = (createdCount ?? 0) + (updatedCount ?? 0)
  const hasDistricts = record.kind === 'pricelists' && record.state === 'done' && writtenRowCount > 0
  const figureList = (
    <div className="min-w-0 px-[18px] pt-5 pb-[18px]">
      <p className="flex items-baseline gap-3">
        <b className="text-3xl font-light tabular-nums">{formatNumber(locale, writtenRowCount)}</b>
        <span className="text-muted">
          {t('import.writtenOf', { count: record.summary?.total ?? record.total ?? 0 })}
        </span>
      </p>
      <div aria-hidden className="mt-3.5 mb-1 flex h-2.5 gap-0.5">
        {lines
          .filter(({ count }) => count > 0)
          .map(({ name, count, colorClass }) => (
            <i
              key={name}
              className={`block min-w-1 rounded-[2px] ${colorClass}`}
              style={{ flexGrow: count, flexBasis: 0 }}
            />
          ))}
      </div>
      <dl
        className={
          hasDistricts
            ? 'mt-3 grid gap-x-8 md:max-[1100px]:grid-cols-2'
            : 'mt-3 grid gap-x-8 md:grid-cols-2 min-[1100px]:grid-cols-4'
        }
      >
        {lines.map(({ name, count, colorClass }) => (
          <div key={name} className="flex items-center justify-between gap-4 border-t border-line py-[9px]">
            <dt className="flex items-center gap-2.5">
              <i aria-hidden className={`size-2.5 rounded-[2px] ${colorClass}`} />
              {t(`import.figures.${name}`)}
            </dt>
            <dd className={`font-semibold tabular-nums ${name === 'failed' && count > 0 ? 'text-danger-text' : ''}`}>
              {formatNumber(locale, count)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
  if (!hasDistricts) return figureList
  return (
    <div className="grid divide-line max-[1100px]:divide-y min-[1100px]:grid-cols-[minmax(0,3fr)_minmax(0,4fr)] min-[1100px]:divide-x">
      {figureList}
      <DistrictBars id={record.id} />
    </div>
  )
}

/** The effect and deadline of undoing an import, or the reason why it can no longer be undone. */
function UndoBand({ record }: { record: Import }) {
  const t = useT()
  const counts = { created: record.created_count ?? 0, updated: record.updated_count ?? 0 }
  const effectText = useUndoEffectText(counts)
  const [touchedRecords, setTouchedRecords] = useState<readonly ImportTouched[]>()
  if (counts.created + counts.updated === 0) return null
  const untilText = t(record.kind === 'pricelists' ? 'import.untilPublished' : 'import.untilTouched')
  return (
    <div className="border-t border-line bg-sunken px-[18px] py-3.5">
      <div className="flex flex-wrap items-center gap-3.5">
        <Undo2 size={18} aria-hidden className="mirrored shrink-0 text-brand-text" />
        <div className="min-w-[240px] flex-1">
          <h2 className="font-semibold">{t(touchedRecords ? 'import.cannotTakeBack' : 'import.canTakeBack')}</h2>
          <p className="text-sm text-muted">
            {touchedRecords ? t('import.touchedHelp', { count: touchedRecords.length }) : `${effectText} ${untilText}`}
          </p>
        </div>
        {touchedRecords ? null : (
          <UndoImportButton id={record.id} counts={counts} variant="button" onTouched={setTouchedRecords} />
        )}
      </div>
      {touchedRecords ? (
        <ul role="alert" className="mt-3 text-sm">
          {touchedRecords.slice(0, maxListedRows).map((touchedRecord) => (
            <li
              key={`${touchedRecord.row} ${touchedRecord.id}`}
              className="flex flex-wrap gap-x-3 border-t border-line py-2"
            >
              <b className="font-semibold">{touchedRecord.name}</b>
              <span className="text-muted">
                {t('import.row', { row: touchedRecord.row })}: {t(`import.touched.${touchedRecord.why}`)}
              </span>
            </li>
          ))}
          {touchedRecords.length > maxListedRows ? (
            <li className="border-t border-line py-2 text-muted">
              {t('import.furtherRows', { count: touchedRecords.length - maxListedRows })}
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  )
}

/** Skipped rows with errors, with the sheet of all of them. */
function SkippedRows({ record }: { record: Import }) {
  const t = useT()
  const locale = useLocale()
  const failedCount = record.failed_count ?? 0
  const { data } = useQuery({
    ...rowsQuery(record.id, { filter: 'error', search: '', page: 1 }, maxListedRows),
    enabled: failedCount > 0,
  })
  if (failedCount === 0) return null
  const rows = data?.data ?? []
  return (
    <Sheet className="px-[18px] py-4" aria-label={t('import.notWritten')}>
      <div className="flex flex-wrap items-center justify-between gap-3 pb-2.5">
        <h2 className="text-lg font-semibold">
          {t('import.notWritten')} <span className="font-light text-muted">{formatNumber(locale, failedCount)}</span>
        </h2>
        <ErrorsSheetButton record={record} />
      </div>
      <ul className="text-sm">
        {rows.map((row) => (
          <li key={row.row} className="border-t border-line py-2.5">
            <b className="font-semibold">
              {t('import.rowNumber')} {row.row}
            </b>
            {row.issues.map((issue) => (
              <span key={`${issue.cell} ${issue.code}`} className="block text-muted">
                {issue.cell === null ? '' : `${issue.cell}: `}
                {issueText(issue)}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {failedCount > rows.length && rows.length > 0 ? (
        <p className="border-t border-line pt-2.5 text-sm text-muted">
          {t('import.furtherRows', { count: failedCount - rows.length })}
        </p>
      ) : null}
    </Sheet>
  )
}
