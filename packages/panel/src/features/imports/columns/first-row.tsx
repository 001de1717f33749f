/** The first data row of the file as the import will understand it; open decisions are dashed. */
import type { ImportColumn, ImportField, ImportMapping } from '@dala/model'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useReaderNames } from '../reader-names.ts'
import { fieldLabel, valueText } from '../labels.ts'

interface FirstRowProps {
  kind: string
  mapping: ImportMapping
  columns: readonly ImportColumn[]
  fields: ReadonlyMap<string, ImportField>
}

export function FirstRow({ kind, mapping, columns, fields }: FirstRowProps) {
  const t = useT()
  const locale = useLocale()
  const { first } = mapping
  const [shownRow] = useReaderNames(
    kind,
    mapping.locale,
    first ? [{ before: null, after: first.values, issues: [] }] : [],
  )
  if (!first) return null
  return (
    <div className="flex min-h-[54px] flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-sunken px-[18px] py-2.5 text-sm">
      <h3 className="text-muted">{t('import.firstRow', { row: formatNumber(locale, first.row) })}</h3>
      <ul className="flex flex-1 flex-wrap justify-end gap-1.5 max-md:justify-start">
        {columns.flatMap((column) => {
          const { letter, key, status } = column
          const field = key === null ? undefined : fields.get(key)
          if (status === 'open')
            return [
              <li
                key={letter}
                className="rounded-1 border border-dashed border-warning-text px-2 py-0.5 font-medium text-warning-text"
              >
                {column.samples[0] ?? column.heading}?
              </li>,
            ]
          if (!field) return []
          const value = valueText(kind, field, shownRow?.after[field.key], locale)
          return [
            <li
              key={letter}
              data-tip={fieldLabel(kind, field)}
              className="rounded-1 bg-surface px-[9px] py-[3px] font-medium shadow-[inset_0_0_0_1px_var(--line)]"
            >
              <span className="sr-only">{fieldLabel(kind, field)}: </span>
              {value === '' ? '—' : value}
            </li>,
          ]
        })}
      </ul>
    </div>
  )
}
