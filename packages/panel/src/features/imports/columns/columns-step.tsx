/** The columns step: which field each column of the file fills, and which records its unknown names mean. */
import type { ImportMapping } from '@dala/model'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Download from 'lucide-react/icons/download'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useEffectEvent, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { formatList, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Button, buttonClass, LinkButton } from '../../../ui/button.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { ColumnRow } from './column-row.tsx'
import { FirstRow } from './first-row.tsx'
import { type Import, saveTemplate } from '../import-api.ts'
import { ImportHead, StepPage, TwinNotice, useReadingText, useStepDetails } from '../import-frame.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { StepsStrip } from '../steps-strip.tsx'
import { UnknownNames } from './unknown-names.tsx'
import { useDecisions, type ColumnDecisions } from './use-decisions.ts'
import { fieldsToWrite, fieldLabel } from '../labels.ts'

/** Numbers of the rows of a sheet that can be its row of headings. */
const headingRows = Array.from({ length: 20 }, (_, index) => index + 1)

interface ColumnsStepProps {
  record: Import
  mapping: ImportMapping
  /**
   * Unknown names to leave out, stored by the page, so that the user can return from the preview without new
   * requests.
   */
  title: string
}

export function ColumnsStep({ record, mapping, title }: ColumnsStepProps) {
  const t = useT()
  const written = useWrittenLocale()
  const details = useStepDetails(record)
  const readingText = useReadingText(record)
  const decisions = useDecisions(record, mapping)
  const { data: me } = useQuery(meQuery)
  const fields = fieldsToWrite(record.kind, me && callerRoleOf(me))
  const template = useMutation({
    mutationFn: () => saveTemplate(record.kind, written, record.date),
    meta: { inPlace: true },
    onError: (error) =>
      showToast({
        kind: 'error',
        title: t('message.notDone', { what: t('import.template') }),
        text: messageOfFailure(error),
      }),
  })
  const missingFields = mapping.missing
    .filter((key) => !decisions.columns.some((column) => column.key === key))
    .flatMap((key) => fields.get(key) ?? [])
  return (
    <StepPage>
      <ImportHead
        record={record}
        title={title}
        about={readingText}
        actions={
          <Button
            icon={<Download size={17} aria-hidden />}
            isBusy={template.isPending}
            onClick={() => template.mutate()}
          >
            {t('import.template')}
          </Button>
        }
      />
      <TwinNotice record={record} />
      <div className="grid items-start gap-5 pb-4 max-md:pb-16 min-[1200px]:grid-cols-[minmax(0,1fr)_372px]">
        <Sheet className="overflow-hidden" aria-label={t('import.columnsOfFile')}>
          <StepsStrip now="columns" details={details} open={isWaiting(decisions) ? [] : ['preview']} />
          <ColumnsBar record={record} decisions={decisions} />
          <ul>
            {decisions.columns.map((column) => (
              <ColumnRow
                key={column.letter}
                kind={record.kind}
                column={column}
                columns={decisions.columns}
                fields={fields}
                onDecide={(columns) => decisions.sendDecision({ columns })}
              />
            ))}
          </ul>
          {missingFields.length > 0 ? (
            <p className="flex items-start gap-2 border-t border-line bg-warning-soft px-[18px] py-3 text-sm text-warning-text">
              <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
              {t('import.missing', {
                fields: formatList(
                  t,
                  missingFields.map((field) => fieldLabel(record.kind, field)),
                ),
              })}
            </p>
          ) : null}
          <FirstRow kind={record.kind} mapping={mapping} columns={decisions.columns} fields={fields} />
        </Sheet>
        <div className="grid gap-4">
          <UnknownNames kind={record.kind} decisions={decisions} total={mapping.names_count} />
          {record.reading ? <ReadingPanel reading={record.reading} columns={decisions.columns} /> : null}
        </div>
      </div>
      <ColumnsFoot kind={record.kind} decisions={decisions} />
    </StepPage>
  )
}

/** Sheet of the file, and the row of its headings. */
function ColumnsBar({ record, decisions }: { record: Import; decisions: ColumnDecisions }) {
  const t = useT()
  const locale = useLocale()
  const { reading } = record
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5">
      <h2 className="me-auto text-lg font-semibold">
        {t('import.columnsOfFile')}{' '}
        <span className="font-light text-muted">{formatNumber(locale, decisions.columns.length)}</span>
      </h2>
      {reading ? (
        <>
          {reading.sheets.length > 1 ? (
            <div className="flex items-center gap-2.5 text-sm text-muted">
              <span aria-hidden>{t('import.sheet')}</span>
              <Select
                variant="filter"
                aria-label={t('import.sheet')}
                value={reading.sheet}
                onValueChange={(sheet) => decisions.sendDecision({ mapping: { sheet } })}
                choices={reading.sheets.map((sheet) => ({ value: sheet, label: sheet }))}
                className="max-w-[220px]"
              />
            </div>
          ) : null}
          <div className="flex items-center gap-2.5 text-sm text-muted">
            <span aria-hidden>{t('import.headingRow')}</span>
            <Select
              variant="filter"
              aria-label={t('import.headingRow')}
              value={reading.heading_row}
              onValueChange={(row) => decisions.sendDecision({ mapping: { heading_row: row } })}
              choices={[...new Set([...headingRows, reading.heading_row])].map((row) => ({
                value: row,
                label: formatNumber(locale, row),
              }))}
            />
          </div>
        </>
      ) : null}
    </div>
  )
}

const isWaiting = ({ open }: ColumnDecisions) => open.columns + open.names > 0

/** Scrolls to the first column or name without a decision and focuses its field. */
const focusFirstOpen = () => {
  const field = document.querySelector<HTMLElement>(
    '[data-open-column] [role="combobox"], [data-open-name] [role="combobox"]',
  )
  field?.scrollIntoView?.({ block: 'center' })
  field?.focus({ preventScroll: true })
}

/** The preview opens once the decisions on columns are saved: one of them may reopen a column. */
function useContinue(decisions: ColumnDecisions) {
  const { isSaving, failure } = decisions
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const isBlocked = isWaiting(decisions) || failure !== undefined
  if (isAsked && isBlocked && !isSaving) setAsked(false)
  const isArrived = isAsked && !isSaving && !isBlocked
  const openPreview = useEffectEvent(() => void navigate({ to: '.', search: { step: 'preview' } }))
  useEffect(() => {
    if (isArrived) openPreview()
  }, [isArrived])
  return { isGoing: isAsked, goOn: () => setAsked(true) }
}

/**
 * The end of the columns step: the number of open points, the acceptance of all unambiguous ones, and the
 * next step.
 */
function ColumnsFoot({ kind, decisions }: { kind: string; decisions: ColumnDecisions }) {
  const t = useT()
  const obstacle = useObstacle()
  const { columns, names, skippedNames, open, isSaving, failure, sendDecision: decide } = decisions
  // Columns of the file with one candidate field that no other column has or could have.
  const unambiguousColumns = columns.flatMap(({ status, candidates, letter }) => {
    const [onlyCandidate] = candidates
    if (status !== 'open' || onlyCandidate === undefined || candidates.length > 1) return []
    const isTaken = columns.some(
      (otherColumn) =>
        otherColumn.letter !== letter &&
        (otherColumn.key === onlyCandidate || otherColumn.candidates[0] === onlyCandidate),
    )
    return isTaken ? [] : [{ letter, key: onlyCandidate }]
  })
  const unambiguousNames = names.flatMap((importName) => {
    const { key, name, target, candidates } = importName
    const [onlyCandidate] = candidates
    return target === null && !skippedNames.has(importName) && onlyCandidate && candidates.length === 1
      ? [{ key, name, target: onlyCandidate }]
      : []
  })
  const unambiguousCount = unambiguousColumns.length + unambiguousNames.length
  const remainingColumns = [
    ...(open.columns > 0 ? [t('import.openColumns', { count: open.columns })] : []),
    ...(open.names > 0 ? [t('import.openNames', { count: open.names })] : []),
  ]
  const remainingText =
    remainingColumns.length > 0 ? t('import.waits', { what: formatList(t, remainingColumns) }) : undefined
  const { isGoing, goOn } = useContinue(decisions)
  return (
    <div data-save-bar className="save-bar border-t border-line bg-surface px-6 py-3 max-md:px-3.5">
      <FailureLine>{failure}</FailureLine>
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
        <Link to="/app/import" search={{ kind }} className={buttonClass('quiet', 'max-md:hidden')}>
          <ArrowLeft size={17} aria-hidden className="mirrored" />
          {t('import.steps.file')}
        </Link>
        <output className="min-w-40 flex-1 text-sm text-muted">
          {remainingText ?? (isSaving ? t('prices.saving') : t('import.allDecided'))}{' '}
          {remainingText ? <LinkButton onClick={focusFirstOpen}>{t('import.showOpen')}</LinkButton> : null}
        </output>
        {unambiguousCount > 0 ? (
          <Button
            disabled={obstacle}
            onClick={() =>
              decide({
                columns: Object.fromEntries(unambiguousColumns.map(({ letter, key }) => [letter, key])),
                names: unambiguousNames,
              })
            }
          >
            {t('import.acceptPlain', { count: unambiguousCount })}
          </Button>
        ) : null}
        <Button kind="primary" isBusy={isGoing} disabled={obstacle ?? remainingText} onClick={goOn}>
          {t('import.toPreview')}
        </Button>
      </div>
    </div>
  )
}
