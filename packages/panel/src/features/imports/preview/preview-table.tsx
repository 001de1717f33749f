/** The rows of the preview as a table with the keyboard navigation of a spreadsheet. */
import type { ImportField } from '@dala/model'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleEqual from 'lucide-react/icons/circle-equal'
import CircleMinus from 'lucide-react/icons/circle-minus'
import CirclePlus from 'lucide-react/icons/circle-plus'
import PencilLine from 'lucide-react/icons/pencil-line'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ClipboardEvent, Fragment, type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { gridStep } from '../../../lib/keys/grid-keys.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { isPressed, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { readBlock } from '../../../resource/list/cells/block.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { countOfGroup, type Group, groupOf, issueAt, findCellAtOffset, cellTextOf } from './preview-grid.ts'
import { PreviewRow } from './preview-row.tsx'
import { firstIssue } from './remark.tsx'
import type { CellPosition } from './row-corrections.ts'
import type { ImportPreview } from './use-preview.ts'
import { fieldLabel, isNumericField, isMoneyField } from '../labels.ts'

/** Number of preview rows that Page Up and Page Down move. */
const pageRows = 10

const icons: Readonly<Record<Group, typeof CircleAlert>> = {
  error: CircleAlert,
  warning: TriangleAlert,
  update: PencilLine,
  create: CirclePlus,
  same: CircleEqual,
  skip: CircleMinus,
}

/** Finds the preview cell that contains an element. */
function cellOf(element: EventTarget | null): CellPosition | undefined {
  const cell = element instanceof Element ? element.closest<HTMLElement>('[data-at]') : null
  const [, row, key] = /^(\d+) (.+)$/.exec(cell?.dataset['at'] ?? '') ?? []
  return row === undefined || key === undefined ? undefined : { row: Number(row), key }
}

/** Money field whose change the preview shows in percent. */
const measuredFieldOf = ({ columns, record }: ImportPreview): ImportField | undefined =>
  columns.find(({ field }) => isMoneyField(record.kind, field))?.field

export function PreviewTable({ preview }: { preview: ImportPreview }) {
  const t = useT()
  const { rows, columns, activeCell: currentCell, editedText: draftText, moveCount, corrections, record } = preview
  const frame = useRef<HTMLElement>(null)
  const measuredField = measuredFieldOf(preview)
  const width = columns.length + (measuredField ? 4 : 3)

  const focusActiveCell = useEffectEvent((isWanted: boolean) => {
    if (!isWanted || !currentCell || draftText !== null) return
    frame.current?.querySelector<HTMLElement>(`[data-at="${currentCell.row} ${CSS.escape(currentCell.key)}"]`)?.focus()
  })
  useLayoutEffect(() => focusActiveCell(moveCount > 0), [moveCount])
  // A row that moved to another group of the preview has lost the focus.
  useLayoutEffect(() => focusActiveCell(document.activeElement === document.body), [rows])
  // The table of the preview has the role of a grid: its cells are reached by the arrow keys like those of
  // every list.
  useLayoutEffect(() => frame.current?.querySelector('table')?.setAttribute('role', 'grid'), [])

  const rowOf = (cellPosition: CellPosition) => rows.find(({ row }) => row === cellPosition.row)
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key } = event
    const cellPosition = target instanceof Element && target.matches('[data-at]') ? cellOf(target) : undefined
    const row = cellPosition && rowOf(cellPosition)
    if (!cellPosition || !row) return
    if (isPressed(event.nativeEvent, shortcuts.import.keep) && firstIssue(row)?.level === 'warning') {
      preview.confirm(cellPosition.row, true)
      preview.nextFault(1)
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = gridStep(key, event.currentTarget, pageRows)
    const suggestion = issueAt(row, cellPosition.key)?.suggestion
    if (step) preview.goTo(findCellAtOffset(rows, columns, cellPosition, step))
    else if (key === 'Enter' && suggestion && !corrections.get(cellPosition)) {
      preview.put([{ ...cellPosition, text: suggestion.value }])
      preview.nextFault(1)
    } else if (key === 'Enter' || key === 'F2')
      preview.edit(cellPosition, cellTextOf(row, cellPosition.key, corrections))
    else if (key === 'Delete' || key === 'Backspace') preview.put([{ ...cellPosition, text: '' }])
    else if (key === 'Escape') {
      preview.goTo(null)
      frame.current?.focus()
    } else if (key.length === 1 && key !== ' ' && key !== '?') preview.edit(cellPosition, key)
    else return
    event.preventDefault()
  }

  /**
   * Pastes a block into the preview, starting at the active cell; each value is checked as if it were typed.
   */
  const handlePaste = (event: ClipboardEvent) => {
    const { target } = event
    const cellPosition = target instanceof Element && target.matches('[data-at]') ? cellOf(target) : undefined
    if (!cellPosition) return
    event.preventDefault()
    const top = rows.findIndex(({ row }) => row === cellPosition.row)
    const start = columns.findIndex(({ field }) => field.key === cellPosition.key)
    const corrections = readBlock(event.clipboardData.getData('text/plain')).flatMap((line, rowOffset) =>
      line.flatMap((text, columnOffset) => {
        const [row, column] = [rows[top + rowOffset], columns[start + columnOffset]]
        return row && column ? [{ row: row.row, key: column.field.key, text: text.trim() }] : []
      }),
    )
    if (corrections.length > 0) preview.put(corrections)
  }

  const isGrouped = preview.filter === 'all'
  const [firstColumn] = columns
  const [firstRow] = rows
  const tabStop =
    currentCell && rowOf(currentCell)
      ? currentCell
      : firstRow && firstColumn
        ? { row: firstRow.row, key: firstColumn.field.key }
        : null
  return (
    <ScrollRegion
      ref={frame}
      aria-label={t('import.rowsShown')}
      onKeyDown={handleKey}
      onPaste={handlePaste}
      onDoubleClick={({ target }) => {
        const cellPosition = cellOf(target)
        const row = cellPosition && rowOf(cellPosition)
        if (cellPosition && row) preview.edit(cellPosition, cellTextOf(row, cellPosition.key, corrections))
      }}
      onClick={({ target }) => {
        const cellPosition =
          target instanceof Element && !target.closest('button, input, a') ? cellOf(target) : undefined
        if (
          cellPosition &&
          !(currentCell?.row === cellPosition.row && currentCell.key === cellPosition.key && draftText !== null)
        )
          preview.goTo(cellPosition)
      }}
      className="max-h-[calc(100dvh-var(--top-h)-170px)] min-h-[320px] scroll-pt-20 overflow-auto"
    >
      <table className="w-full border-separate border-spacing-0 text-md">
        <caption className="sr-only">{t('import.rowsShown')}</caption>
        <thead>
          <tr className="[&>th]:sticky [&>th]:top-0 [&>th]:z-3 [&>th]:h-[34px] [&>th]:border-b [&>th]:border-line [&>th]:bg-surface [&>th]:px-2.5 [&>th]:text-sm [&>th]:font-medium [&>th]:whitespace-nowrap [&>th]:text-muted">
            <th scope="col" className="w-[70px] ps-4! text-start">
              {t('import.rowNumber')}
            </th>
            {columns.map(({ field }) => (
              <th key={field.key} scope="col" className={isNumericField(field) ? 'text-end' : 'text-start'}>
                {fieldLabel(record.kind, field)}
              </th>
            ))}
            {measuredField ? (
              <th scope="col" className="text-end">
                {t('import.difference')}
              </th>
            ) : null}
            <th scope="col" className="min-w-[250px] ps-5! text-start">
              {t('import.remark')}
            </th>
            <th scope="col" className="w-[52px]">
              <span className="sr-only">{t('import.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const group = groupOf(row)
            const previousRow = rows[index - 1]
            const startsGroup = isGrouped && (previousRow === undefined || groupOf(previousRow) !== group)
            return (
              <Fragment key={row.row}>
                {startsGroup ? <GroupHead group={group} preview={preview} width={width} /> : null}
                <PreviewRow
                  row={row}
                  preview={preview}
                  measuredField={measuredField}
                  tabStop={tabStop?.row === row.row ? tabStop.key : null}
                />
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function GroupHead({ group, preview, width }: { group: Group; preview: ImportPreview; width: number }) {
  const t = useT()
  const locale = useLocale()
  const { summary } = preview.record
  const Icon = icons[group]
  const toneClass =
    group === 'error' ? 'text-danger-text' : group === 'warning' ? 'text-warning-text' : 'text-brand-text'
  return (
    <tr>
      <th
        scope="colgroup"
        colSpan={width}
        className="sticky top-[34px] z-2 h-8 border-b border-line bg-sunken px-4 text-start text-sm font-normal"
      >
        <span className="flex items-center gap-2">
          <Icon size={15} aria-hidden className={toneClass} />
          <b className="font-semibold">{t(`import.filter.${group}`)}</b>
          <span className="text-muted">{summary ? formatNumber(locale, countOfGroup(summary, group)) : ''}</span>
          {group === 'error' ? <span className="text-muted">{t('import.errorsStayOut')}</span> : null}
        </span>
      </th>
    </tr>
  )
}
