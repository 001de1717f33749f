/** The preview: every row with the action planned for it, and every fault to be corrected in place. */
import type { ImportFilter, ImportMapping } from '@dala/model'
import Search from 'lucide-react/icons/search'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Fragment, useEffect, useEffectEvent, useRef } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { isPressed, isTyping, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { useTypedSearch } from '../../../lib/hooks/use-typed-search.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { FramedInput } from '../../../ui/inputs/input.tsx'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { Pager } from '../../../ui/layout/pager.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { type Import, rowsPageSize } from '../import-api.ts'
import { ErrorsSheetButton, ImportHead, StepPage, TwinNotice, useStepDetails } from '../import-frame.tsx'
import { PreviewCards } from './preview-cards.tsx'
import { PreviewFoot } from './preview-foot.tsx'
import { PreviewTable } from './preview-table.tsx'
import { StepsStrip } from '../steps-strip.tsx'
import { type ImportPreview, usePreview } from './use-preview.ts'
import { failureText, fieldLabel } from '../labels.ts'

interface PreviewStepProps {
  record: Import
  mapping: ImportMapping
  title: string
  user: number
}

export function PreviewStep({ record, mapping, title, user }: PreviewStepProps) {
  const t = useT()
  const locale = useLocale()
  const isPhone = useMedia(phoneQuery)
  const details = useStepDetails(record)
  const { summary } = record
  const hasErrors = (summary?.error ?? 0) > 0
  const preview = usePreview(record, mapping, user, isPhone && hasErrors ? 'error' : 'all')
  const { rows, total, error } = preview
  const footElement = useRef<HTMLDivElement>(null)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"]')) return
    if (isPressed(event, shortcuts.import.nextFault)) preview.nextFault(1)
    else if (isPressed(event, shortcuts.import.previousFault)) preview.nextFault(-1)
    else if (isPressed(event, shortcuts.import.write))
      footElement.current?.querySelector<HTMLElement>('[data-write]')?.click()
    else if (!isPressed(event, shortcuts.import.undo) || isTyping(event.target) || !preview.undo()) return
    event.preventDefault()
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [])
  const sourceText = [
    ...(record.reading ? [t('import.ofSheet', { sheet: record.reading.sheet })] : []),
    ...(mapping.date === undefined ? [] : [formatDate(mapping.date)]),
  ].join(', ')
  return (
    <StepPage>
      <ImportHead
        record={record}
        title={title}
        total={summary ? formatNumber(locale, summary.total) : undefined}
        about={`${sourceText}${sourceText === '' ? '' : '. '}${t('import.nothingYet')}`}
        actions={hasErrors ? <ErrorsSheetButton record={record} /> : null}
      />
      <TwinNotice record={record} />
      {record.failure ? (
        <p
          role="alert"
          className="mb-4 flex items-start gap-2 rounded-2 bg-warning-soft px-4 py-3 text-sm text-warning-text"
        >
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          {failureText(record.failure)}
        </p>
      ) : null}
      <Sheet className="mb-4 overflow-hidden max-md:mb-20" aria-label={t('import.steps.preview')}>
        <StepsStrip now="preview" details={details} open={['columns']} />
        <PreviewBar preview={preview} isPhone={isPhone} />
        <UnsavedNotice preview={preview} />
        <FoldedColumns preview={preview} />
        {error ? (
          <FailureState title={t('list.failed')} text={messageOfFailure(error)} onRetry={preview.refetch} />
        ) : total === undefined ? (
          <DelayedContent>
            <div className="grid gap-3 border-t border-line p-[18px]">
              {Array.from({ length: 8 }, (_, row) => (
                <Skeleton key={row} className="h-6 w-full" />
              ))}
            </div>
          </DelayedContent>
        ) : rows.length === 0 ? (
          <EmptyState title={t('empty.noData')} text={t(preview.q === '' ? 'import.noRows' : 'empty.noResults')} />
        ) : (
          <div
            aria-busy={preview.isOld}
            className={cx('transition-opacity duration-(--dur-2)', preview.isOld && 'opacity-60')}
          >
            {isPhone ? <PreviewCards preview={preview} /> : <PreviewTable preview={preview} />}
          </div>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2 empty:hidden max-md:justify-center">
          {isPhone || rows.length === 0 ? null : <p className="text-sm text-muted">{t('import.keys')}</p>}
          <Pager
            page={preview.page}
            pageSize={rowsPageSize}
            total={total ?? 0}
            onPageChange={(page) => preview.change({ page })}
          />
        </div>
      </Sheet>
      <PreviewFoot ref={footElement} preview={preview} />
    </StepPage>
  )
}

const segments = [
  'all',
  'create',
  'update',
  'same',
  'warning',
  'error',
  'skip',
] as const satisfies readonly ImportFilter[]
const phoneSegments = [
  'error',
  'warning',
  'update',
  'create',
  'same',
  'skip',
  'all',
] as const satisfies readonly ImportFilter[]

/** Filter and search of the preview's rows, and the button to the next fault. */
function PreviewBar({ preview, isPhone }: { preview: ImportPreview; isPhone: boolean }) {
  const t = useT()
  const locale = useLocale()
  const { filter, q, change, record } = preview
  const [text, setText] = useTypedSearch(q, (searchText) => change({ q: searchText }))
  const { summary } = record
  const countOf = (rowFilter: ImportFilter) => (summary ? summary[rowFilter === 'all' ? 'total' : rowFilter] : 0)
  const shownSegments = (isPhone ? phoneSegments : segments).filter(
    (rowFilter) => rowFilter !== 'skip' || countOf(rowFilter) > 0 || filter === rowFilter,
  )
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-3 border-line px-4 py-3 md:border-b">
      <SegmentedControl
        label={t('import.rowsShown')}
        value={filter}
        onValueChange={(rows) => change({ rows })}
        segments={shownSegments.map((rowFilter) => ({
          value: rowFilter,
          label: t(`import.filter.${rowFilter}`),
          ...(summary && { count: formatNumber(locale, countOf(rowFilter)) }),
        }))}
        className="max-md:w-full"
      />
      <div className="ms-auto flex flex-wrap items-center gap-2.5 max-md:ms-0 max-md:w-full">
        <FramedInput
          icon={<Search size={16} aria-hidden />}
          type="search"
          aria-label={t('import.searchRows')}
          placeholder={t('import.searchRows')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="w-[190px] max-md:w-full"
        />
        {isPhone ? null : (
          <Button onClick={() => preview.nextFault(1)}>
            <span className="inline-flex items-center gap-2 font-medium">
              {t('import.nextFault')} <KeyCaps caps={['F8']} />
            </span>
          </Button>
        )}
      </div>
    </div>
  )
}

/** Names the columns of the preview with one value in every row, and those that are empty in every row. */
function FoldedColumns({ preview: { foldedColumns, unfoldColumns: showFolded, record } }: { preview: ImportPreview }) {
  const t = useT()
  if (foldedColumns.length === 0) return null
  const foldedWithText = foldedColumns.filter(({ text }) => text !== '')
  const emptyCount = foldedColumns.length - foldedWithText.length
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm text-muted max-md:pt-0 md:border-b md:border-line">
      {foldedWithText.length > 0 ? (
        <span>
          {t('import.inAllRows')}{' '}
          {foldedWithText.map(({ field, text }, index) => (
            <Fragment key={field.key}>
              {index > 0 ? '; ' : ''}
              {fieldLabel(record.kind, field)} <b className="font-semibold text-ink">{text}</b>
            </Fragment>
          ))}
        </span>
      ) : null}
      {emptyCount > 0 ? <span>{t('import.emptyColumns', { count: emptyCount })}</span> : null}
      <LinkButton onClick={showFolded}>{t('import.unfold')}</LinkButton>
    </p>
  )
}

/** Notice of corrections that have not reached the server, with the reason. */
function UnsavedNotice({ preview: { corrections } }: { preview: ImportPreview }) {
  const t = useT()
  const [failedCount, storedCount] = [corrections.count('failed'), corrections.count('kept')]
  if (failedCount + storedCount === 0) return null
  const failure = corrections.failure()
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-warning-soft px-4 py-2.5 text-sm text-warning-text"
    >
      <TriangleAlert size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">
        {storedCount > 0
          ? t('import.storedMends', { count: storedCount })
          : t('import.unsentMends', { count: failedCount })}{' '}
        {failure}
      </span>
      <LinkButton onClick={() => corrections.retry()}>{t('import.sendMends')}</LinkButton>
      <LinkButton onClick={() => corrections.drop()}>{t('import.dropMends')}</LinkButton>
    </div>
  )
}
