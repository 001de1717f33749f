/** One row of the import's preview, and below it the actions for the active cell. */
import type { ImportField, ImportRow } from '@dala/model'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Check from 'lucide-react/icons/check'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useId } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { CellInput } from './cell-input.tsx'
import { OldAndNewValue } from '../old-new.tsx'
import { MarkedText, placeOfWrong } from '../marked-text.tsx'
import { issueAt, openIssues, type PreviewColumn, findCellAtOffset, cellTextOf } from './preview-grid.ts'
import { firstIssue, RowOutcome } from './remark.tsx'
import { SuggestionButton } from '../suggestion-button.tsx'
import type { ImportPreview } from './use-preview.ts'
import {
  changeInPercent,
  changeText,
  fieldLabel,
  isNumericField,
  issueText,
  suggestionText,
  valueText,
  wrongLetterText,
} from '../labels.ts'

/** Border of an open row of the preview: red for an error, amber for a warning. */
const edgeOf = (isWarning: boolean) =>
  isWarning
    ? 'shadow-[inset_3px_0_0_var(--warning)] rtl:shadow-[inset_-3px_0_0_var(--warning)]'
    : 'shadow-[inset_3px_0_0_var(--danger)] rtl:shadow-[inset_-3px_0_0_var(--danger)]'

/** Price change in percent above which an imported row is notable. */
const notableChange = 10

export interface PreviewRowProps {
  row: ImportRow
  preview: ImportPreview
  measuredField: ImportField | undefined
  /** Key of the cell in this row of the preview that is the tab stop. */
  tabStop: string | null
}

export function PreviewRow({ row, preview, measuredField: fieldToMeasure, tabStop }: PreviewRowProps) {
  const t = useT()
  const id = useId()
  const { activeCell: currentCell, columns } = preview
  const isActive = currentCell?.row === row.row
  const isOpen = isActive && (openIssues(row).length > 0 || preview.editedText !== null)
  const isWarning = isOpen && firstIssue(row)?.level === 'warning'
  const background = isOpen
    ? isWarning
      ? '[&>*]:bg-[color-mix(in_oklab,var(--warning-soft)_62%,var(--surface))]'
      : '[&>*]:bg-[color-mix(in_oklab,var(--danger-soft)_62%,var(--surface))]'
    : '[&>*]:border-b [&>*]:border-line'
  return (
    <>
      <tr className={cx('[&>*]:h-[37px] [&>*]:px-2.5 [&>*]:py-0.5', background, row.action === 'skip' && 'text-muted')}>
        <th
          scope="row"
          className={cx('ps-4! text-start text-sm font-normal text-muted tabular-nums', isOpen && edgeOf(isWarning))}
        >
          {row.row}
        </th>
        {columns.map((column, index) => (
          <PreviewCell
            key={column.field.key}
            row={row}
            column={column}
            preview={preview}
            isName={index === 0}
            isStop={tabStop === column.field.key}
            note={isOpen ? id : undefined}
          />
        ))}
        {fieldToMeasure ? <AccessDifference row={row} field={fieldToMeasure} /> : null}
        <td className="ps-5!">
          <RowOutcome row={row} preview={preview} />
        </td>
        <td className="text-center">
          <Menu
            trigger={
              <IconButton
                label={t('import.actionsOf', { row: row.row })}
                icon={<Ellipsis size={17} aria-hidden />}
                className="size-7!"
              />
            }
          >
            {({ Item }) => (
              <>
                <Item onClick={() => preview.skip(row.row, row.action !== 'skip')}>
                  {t(row.action === 'skip' ? 'import.takeIn' : 'import.skip')}
                </Item>
                {Object.keys(row.corrected).length > 0 ? (
                  <Item
                    onClick={() =>
                      preview.put(Object.keys(row.corrected).map((key) => ({ row: row.row, key, text: null })))
                    }
                  >
                    {t('import.restore')}
                  </Item>
                ) : null}
              </>
            )}
          </Menu>
        </td>
      </tr>
      {isOpen ? <WorkLine id={id} row={row} preview={preview} measuredField={fieldToMeasure} /> : null}
    </>
  )
}

interface PreviewCellProps {
  row: ImportRow
  column: PreviewColumn
  preview: ImportPreview
  isName: boolean
  isStop: boolean
  /** Id of the line below the row, which describes the active cell. */
  note: string | undefined
}

function PreviewCell({ row, column: { field }, preview, isName, isStop, note }: PreviewCellProps) {
  const { activeCell: currentCell, editedText: draftText, record } = preview
  const isActiveCell = currentCell?.row === row.row && currentCell.key === field.key
  const issue = issueAt(row, field.key)
  return (
    <td
      data-at={`${row.row} ${field.key}`}
      tabIndex={isStop ? 0 : -1}
      aria-selected={isActiveCell || undefined}
      aria-describedby={isActiveCell ? note : undefined}
      className={cx(
        'max-w-[220px] min-w-[72px] outline-offset-[-2px]',
        isNumericField(field) && 'text-end tabular-nums',
        isName && 'font-semibold',
      )}
    >
      {isActiveCell && draftText !== null ? (
        <CellInput
          name={`${fieldLabel(record.kind, field)}, ${row.row}`}
          text={draftText}
          wrongRange={
            draftText === cellTextOf(row, field.key, preview.corrections) ? placeOfWrong(draftText, issue) : undefined
          }
          isFaulty={issue?.level === 'error'}
          isFigure={isNumericField(field)}
          describedBy={note}
          className="w-full min-w-[112px]!"
          onLeave={(text, nextMove) => {
            // The key Enter accepts the suggested value of the cell, if the text is unchanged.
            const isYes = nextMove === 'next' && text === draftText && issue?.suggestion !== null
            preview.finishEditing(isYes ? (issue?.suggestion?.value ?? text) : text)
            if (nextMove === 'stay') {
              if (text === null) preview.goTo(currentCell)
            } else if (nextMove === 'fault' || (nextMove === 'next' && openIssues(row).length > 0)) preview.nextFault(1)
            else if (nextMove === 'former') preview.nextFault(-1)
            else {
              const step =
                nextMove === 'next' ? ([1, 0] as const) : nextMove === 'across' ? ([0, 1] as const) : ([0, -1] as const)
              preview.goTo(findCellAtOffset(preview.rows, preview.columns, currentCell, step))
            }
          }}
        />
      ) : (
        <CellValue row={row} field={field} preview={preview} />
      )}
    </td>
  )
}

/**
 * The value of a preview cell: the typed text if it is faulty or not checked yet, otherwise old and new
 * value.
 */
export function CellValue({ row, field, preview }: { row: ImportRow; field: ImportField; preview: ImportPreview }) {
  const locale = useLocale()
  const { kind } = preview.record
  const correction = preview.corrections.get({ row: row.row, key: field.key })
  const typedText = cellTextOf(row, field.key, preview.corrections)
  const issue = issueAt(row, field.key)
  if (correction)
    return <i className="not-italic text-muted">{(correction.text ?? row.given[field.key] ?? '') || '—'}</i>
  const isChanged = row.before !== null && row.changed.includes(field.key)
  const formerText = row.before === null ? '' : valueText(kind, field, row.before[field.key], locale)
  const newText = valueText(kind, field, row.after[field.key], locale)
  if (issue) {
    const toneClass = issue.level === 'error' ? 'bg-danger-soft text-danger-text' : 'bg-warning-soft text-warning-text'
    const shownText = (issue.level === 'error' ? typedText : newText) || typedText || '—'
    return (
      <span className="inline-flex max-w-full items-center gap-[7px]">
        {isChanged && formerText !== '' ? (
          <>
            <del className="truncate text-muted decoration-1">{formerText}</del>
            <ArrowRight size={14} aria-hidden className="mirrored shrink-0 text-muted" />
          </>
        ) : null}
        <mark className={cx('-my-[3px] -me-[7px] truncate rounded-1 px-[7px] py-[3px] font-semibold', toneClass)}>
          {issue.level === 'error' ? <MarkedText text={shownText} issue={issue} /> : shownText}
        </mark>
      </span>
    )
  }
  if (isChanged && formerText !== '') return <OldAndNewValue before={formerText} after={newText || '—'} />
  if (newText === '') return <span className="text-muted">—</span>
  return <span className={cx('block truncate', isChanged && 'font-semibold')}>{newText}</span>
}

function AccessDifference({ row, field }: { row: ImportRow; field: ImportField }) {
  const locale = useLocale()
  const percent = changeInPercent(row.before?.[field.key], row.after[field.key])
  const isShown = percent !== null && row.changed.includes(field.key)
  return (
    <td
      className={cx(
        'text-end whitespace-nowrap tabular-nums',
        isShown && Math.abs(percent) >= notableChange ? 'text-warning-text' : 'text-muted',
      )}
    >
      {isShown ? changeText(locale, percent) : ''}
    </td>
  )
}

interface WorkLineProps {
  id: string
  row: ImportRow
  preview: ImportPreview
  measuredField: ImportField | undefined
}

/**
 * The line about the active cell of the preview, which covers nothing: position, suggestion, other faults.
 */
function WorkLine({ id, row, preview, measuredField: fieldToMeasure }: WorkLineProps) {
  const t = useT()
  const locale = useLocale()
  const { activeCell: currentCell, columns, record } = preview
  const key = currentCell?.key
  const column = columns.find(({ field }) => field.key === key)
  const issue = key === undefined ? undefined : (issueAt(row, key) ?? row.issues.find(({ field }) => field === null))
  const otherIssues = openIssues(row).filter((otherIssue) => otherIssue !== issue && otherIssue !== firstIssue(row))
  const formerText =
    column && row.before ? valueText(record.kind, column.field, row.before[column.field.key], locale) : ''
  const isWarning = firstIssue(row)?.level === 'warning'
  const value = issue ? suggestionText(record.kind, issue, locale) : ''
  const wrongText = issue ? wrongLetterText(issue) : ''
  return (
    <tr
      className={cx(
        '[&>td]:border-b [&>td]:border-line',
        isWarning
          ? '[&>td]:bg-[color-mix(in_oklab,var(--warning-soft)_62%,var(--surface))]'
          : '[&>td]:bg-[color-mix(in_oklab,var(--danger-soft)_62%,var(--surface))]',
      )}
    >
      <td colSpan={columns.length + (fieldToMeasure ? 4 : 3)} className={cx('ps-20 pe-2.5 pb-2.5', edgeOf(isWarning))}>
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2 text-sm">
          <span id={id} className="text-muted">
            {[
              ...(column?.letter === undefined ? [] : [t('import.cell', { cell: `${column.letter}${row.row}` })]),
              ...(formerText === '' ? [] : [t('import.now', { value: formerText })]),
            ].join('. ')}
            {issue ? <span className="sr-only">. {issueText(issue)}</span> : null}
            {wrongText === '' ? null : <span className="text-ink">. {wrongText}</span>}
          </span>
          {issue?.suggestion && key !== undefined ? (
            <SuggestionButton
              onClick={() => {
                preview.put([{ row: row.row, key, text: issue.suggestion?.value ?? '' }])
                preview.nextFault(1)
              }}
            >
              <Check size={15} strokeWidth={2.5} aria-hidden />
              {t(issue.level === 'warning' ? 'import.correctTo' : 'import.accept', { value })}
              <KeyCaps caps={['Enter']} />
            </SuggestionButton>
          ) : null}
          {isWarning ? (
            <SuggestionButton
              onClick={() => {
                preview.confirm(row.row, true)
                preview.nextFault(1)
              }}
            >
              {t('import.keep')}
              <KeyCaps caps={['Alt', 'K']} />
            </SuggestionButton>
          ) : null}
          {otherIssues.map((otherIssue) => (
            <span
              key={`${otherIssue.cell} ${otherIssue.code}`}
              className={otherIssue.level === 'error' ? 'text-danger-text' : 'text-warning-text'}
            >
              {otherIssue.cell === null ? '' : `${otherIssue.cell}: `}
              {issueText(otherIssue)}
            </span>
          ))}
          <span className="inline-flex items-center gap-3">
            <LinkButton
              className="text-sm"
              onClick={() => {
                preview.skip(row.row, true)
                preview.nextFault(1)
              }}
            >
              {t('import.skip')}
            </LinkButton>
            <span className="inline-flex items-center gap-1.5 text-muted">
              <KeyCaps caps={['Esc']} /> {t('import.leaveCell')}
            </span>
          </span>
        </div>
      </td>
    </tr>
  )
}
