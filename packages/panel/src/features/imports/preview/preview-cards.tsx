/** The rows of the preview on a phone: a card for each row; the open card has the fields to correct. */
import type { ImportRow } from '@dala/model'
import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useId, useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/inputs/input.tsx'
import { issueAt, type PreviewColumn, cellTextOf } from './preview-grid.ts'
import { CellValue } from './preview-row.tsx'
import { firstIssue, RowOutcome } from './remark.tsx'
import type { ImportPreview } from './use-preview.ts'
import { fieldLabel, isNumericField, issueText, suggestionText, valueText, wrongLetterText } from '../labels.ts'

export function PreviewCards({ preview }: { preview: ImportPreview }) {
  return (
    <ul>
      {preview.rows.map((row) => (
        <PreviewCard key={row.row} row={row} preview={preview} />
      ))}
    </ul>
  )
}

function PreviewCard({ row, preview }: { row: ImportRow; preview: ImportPreview }) {
  const t = useT()
  const { columns, activeCell: currentCell, record } = preview
  const isOpen = currentCell?.row === row.row
  const [name, ...otherColumns] = columns
  const faultyColumns = columns.filter(({ field }) => issueAt(row, field.key))
  const editedColumns = faultyColumns.length > 0 ? faultyColumns : columns
  const [firstColumn] = editedColumns
  if (!name || !firstColumn) return null
  const issue = firstIssue(row)
  return (
    <li
      className={cx(
        'border-t border-line px-4 py-3',
        isOpen &&
          (issue
            ? issue.level === 'error'
              ? 'bg-[color-mix(in_oklab,var(--danger-soft)_62%,var(--surface))] shadow-[inset_3px_0_0_var(--danger)]'
              : 'bg-[color-mix(in_oklab,var(--warning-soft)_62%,var(--surface))] shadow-[inset_3px_0_0_var(--warning)]'
            : 'bg-sunken shadow-[inset_3px_0_0_var(--brand-ui)]'),
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => preview.goTo(isOpen ? null : { row: row.row, key: firstColumn.field.key })}
        className="flex min-h-11 w-full items-center justify-between gap-3 text-start"
      >
        <span className="min-w-0 font-semibold wrap-anywhere">
          <CellValue row={row} field={name.field} preview={preview} />
        </span>
        <span className="shrink-0 text-sm text-muted">{t('import.row', { row: row.row })}</span>
      </button>
      <dl className="grid gap-1 text-sm">
        {otherColumns
          .filter(
            ({ field }) => !(isOpen && editedColumns.some((editedColumn) => editedColumn.field.key === field.key)),
          )
          .map(({ field }) => (
            <div key={field.key} className="flex items-baseline justify-between gap-3">
              <dt className="shrink-0 text-muted">{fieldLabel(record.kind, field)}</dt>
              <dd className="min-w-0 text-end text-md">
                <CellValue row={row} field={field} preview={preview} />
              </dd>
            </div>
          ))}
      </dl>
      {isOpen ? (
        <>
          {editedColumns.map((column) => (
            <CardField key={column.field.key} row={row} column={column} preview={preview} />
          ))}
          <div className="mt-3 flex flex-wrap justify-end gap-2">
            {issue?.level === 'warning' ? (
              <Button
                className="min-h-11"
                onClick={() => {
                  preview.confirm(row.row, true)
                  preview.goTo(null)
                }}
              >
                {t('import.keep')}
              </Button>
            ) : null}
            <Button
              className="min-h-11"
              onClick={() => {
                preview.skip(row.row, row.action !== 'skip')
                preview.goTo(null)
              }}
            >
              {t(row.action === 'skip' ? 'import.takeIn' : 'import.skip')}
            </Button>
          </div>
        </>
      ) : (
        <div className="mt-2 empty:hidden">
          <RowOutcome row={row} preview={preview} />
        </div>
      )}
    </li>
  )
}

function CardField({
  row,
  column: { field },
  preview,
}: {
  row: ImportRow
  column: PreviewColumn
  preview: ImportPreview
}) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const { corrections, record } = preview
  const issue = issueAt(row, field.key)
  const formerText = row.before ? valueText(record.kind, field, row.before[field.key], locale) : ''
  const cellPosition = { row: row.row, key: field.key }
  const acceptedSuggestion = issue?.suggestion
  const wrongText = issue ? wrongLetterText(issue) : ''
  const text = cellTextOf(row, field.key, corrections)
  const [typedText, setTypedText] = useState<string | null>(null)
  const submitCell = () => {
    setTypedText(null)
    if (typedText !== null && typedText.trim() !== text.trim()) preview.put([{ ...cellPosition, text: typedText }])
  }
  return (
    <div className="mt-2.5 grid gap-1.5">
      <label htmlFor={`${id}-field`} className="text-sm font-medium">
        {fieldLabel(record.kind, field)}
      </label>
      <Input
        id={`${id}-field`}
        aria-describedby={id}
        aria-invalid={issue?.level === 'error' || undefined}
        autoComplete="off"
        className={cx('min-h-11! bg-surface! font-semibold', isNumericField(field) && 'tabular-nums')}
        value={typedText ?? text}
        onChange={({ target }) => setTypedText(target.value)}
        onBlur={submitCell}
        onKeyDown={({ key }) => {
          if (key === 'Enter') submitCell()
          if (key === 'Escape') setTypedText(null)
        }}
      />
      <div id={id} className="grid gap-1 text-sm">
        {issue ? (
          <span
            className={cx(
              'flex items-start gap-1.5',
              issue.level === 'error' ? 'text-danger-text' : 'text-warning-text',
            )}
          >
            <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
            <span>
              {issueText(issue)}
              {wrongText === '' ? '' : `. ${wrongText}`}
            </span>
          </span>
        ) : null}
        {formerText === '' ? null : <span className="text-muted">{t('import.now', { value: formerText })}</span>}
      </div>
      {acceptedSuggestion ? (
        <Button
          kind="primary"
          className="min-h-11"
          icon={<Check size={17} aria-hidden />}
          onClick={() => preview.put([{ ...cellPosition, text: acceptedSuggestion.value }])}
        >
          {t(issue.level === 'warning' ? 'import.correctTo' : 'import.accept', {
            value: suggestionText(record.kind, issue, locale),
          })}
        </Button>
      ) : null}
    </div>
  )
}
