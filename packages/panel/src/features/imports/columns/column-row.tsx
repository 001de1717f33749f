/** One column of the file: its letter, heading and samples, the field that it fills, and why. */
import type { ImportColumn, ImportField } from '@dala/model'
import ArrowRight from 'lucide-react/icons/arrow-right'
import CircleCheck from 'lucide-react/icons/circle-check'
import Minus from 'lucide-react/icons/minus'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from '../../../lib/class-names.ts'
import { formatDate } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { Select } from '../../../ui/inputs/select.tsx'
import { SuggestionButton } from '../suggestion-button.tsx'
import { fieldLabel } from '../labels.ts'

const skippedValue = '#none'

export interface ColumnRowProps {
  kind: string
  column: ImportColumn
  columns: readonly ImportColumn[]
  fields: ReadonlyMap<string, ImportField>
  /** Called with the chosen fields by the letter of their column; null skips the column. */
  onDecide: (columns: Readonly<Record<string, string | null>>) => void
}

export function ColumnRow({ kind, column, columns, fields, onDecide }: ColumnRowProps) {
  const t = useT()
  const { letter, heading, samples, key, status, isHidden } = column
  const letterByField = new Map(
    columns.filter((one) => one.letter !== letter && one.key !== null).map((one) => [one.key, one.letter]),
  )
  const choose = (value: string) => {
    if (value === skippedValue) return onDecide({ [letter]: null })
    // A field takes one column of the file: the column that had the field before is skipped.
    const previousLetter = letterByField.get(value)
    return onDecide({ ...(previousLetter !== undefined && { [previousLetter]: null }), [letter]: value })
  }
  const name = heading === '' ? t('import.noHeading') : heading
  return (
    <li
      data-open-column={status === 'open' ? '' : undefined}
      className="grid grid-cols-[26px_minmax(0,1fr)] items-center gap-x-3.5 gap-y-2 border-t border-line px-[18px] py-[7px] first:border-t-0 max-md:px-4 max-md:py-3 md:grid-cols-[26px_minmax(0,190px)_16px_196px_minmax(0,1fr)]"
    >
      <span
        aria-hidden
        className="grid size-[26px] place-items-center rounded-1 bg-sunken text-sm font-semibold text-muted shadow-[inset_0_0_0_1px_var(--line)]"
      >
        {letter}
      </span>
      <div className="min-w-0">
        <p className="truncate leading-tight font-semibold">
          <span className="sr-only">{t('import.column', { letter })} </span>
          {name}
        </p>
        <p className="truncate text-xs text-muted">
          {samples.join('; ')}
          {isHidden ? <span className="text-warning-text"> {t('import.hiddenColumn')}</span> : null}
        </p>
      </div>
      <ArrowRight size={16} aria-hidden className="mirrored text-muted max-md:hidden" />
      <Select
        aria-label={t('import.fieldOf', { name })}
        value={status === 'skipped' ? skippedValue : key}
        onValueChange={choose}
        placeholder={t('import.notChosen')}
        choices={[
          { value: skippedValue, label: t('import.notLoaded') },
          ...[...fields.values()].map((field) => {
            const takenLetter = letterByField.get(field.key)
            return {
              value: field.key,
              label: fieldLabel(kind, field),
              ...(takenLetter !== undefined && { note: t('import.column', { letter: takenLetter }) }),
            }
          }),
        ]}
        className={cx('max-md:col-span-full', status === 'open' && 'border-dashed! border-warning-text!')}
      />
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-2 text-sm max-md:col-span-full">
        <Why column={column} kind={kind} fields={fields} />
        {status === 'open'
          ? column.candidates.map((candidate) => {
              const field = fields.get(candidate)
              if (!field) return null
              const label = fieldLabel(kind, field)
              const isOnlyCandidate = column.candidates.length === 1
              return (
                <SuggestionButton
                  key={candidate}
                  onClick={() => choose(candidate)}
                  {...(!isOnlyCandidate && { 'aria-label': t('import.acceptFor', { field: label, name }) })}
                >
                  {isOnlyCandidate ? t('import.accept', { value: label }) : label}
                </SuggestionButton>
              )
            })
          : null}
      </div>
    </li>
  )
}

function Why({ column, kind, fields }: Pick<ColumnRowProps, 'column' | 'kind' | 'fields'>) {
  const t = useT()
  const { status, why, since, candidates } = column
  const [bestField] = candidates.flatMap((key) => fields.get(key) ?? [])
  const reasonText = () => {
    if (why === 'remembered')
      return since === null ? t('import.why.known') : t('import.why.remembered', { since: formatDate(since) })
    if (why === 'near' && bestField) return t('import.why.near', { field: fieldLabel(kind, bestField) })
    if (status === 'skipped') return t(why === 'person' ? 'import.why.person' : 'import.why.none')
    return t(`import.why.${why}`)
  }
  const Icon = status === 'matched' ? CircleCheck : status === 'open' ? TriangleAlert : Minus
  const toneClass = status === 'matched' ? 'text-success-text' : status === 'open' ? 'text-warning-text' : 'text-muted'
  return (
    <span className="flex min-w-0 flex-1 basis-[12ch] items-start gap-2">
      <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${toneClass}`} />
      <span className={status === 'skipped' ? 'text-muted' : ''}>{reasonText()}</span>
    </span>
  )
}
