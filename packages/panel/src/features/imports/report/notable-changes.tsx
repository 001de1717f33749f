/** Price changes of an import above ten per cent, the largest first. */
import type { ImportRow } from '@dala/model'
import { useQueries } from '@tanstack/react-query'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { type Import, rowsQuery } from '../import-api.ts'
import { OldAndNewValue } from '../old-new.tsx'
import { previewColumns } from '../preview/preview-grid.ts'
import { useReaderNames } from '../reader-names.ts'
import { changeInPercent, changeText, fieldLabel, isMoneyField, valueText } from '../labels.ts'

const notableChange = 10
/** Page size of changed rows; a note tells when there are more rows than `maxLoadedPages` pages. */
const pageSize = 100
const maxLoadedPages = 5
const maxListedChanges = 12

interface Change {
  row: ImportRow
  percent: number
}

export function NotableChanges({ record }: { record: Import }) {
  const t = useT()
  const locale = useLocale()
  const columns = previewColumns(record.kind, record.mapping?.columns ?? [])
  const measuredField = columns.find(({ field }) => isMoneyField(record.kind, field))?.field
  const pages = measuredField ? Math.ceil((record.updated_count ?? 0) / pageSize) : 0
  const readRows = useQueries({
    queries: Array.from({ length: Math.min(pages, maxLoadedPages) }, (_, index) =>
      rowsQuery(record.id, { filter: 'update', search: '', page: index + 1 }, pageSize),
    ),
    combine: (results) => results.flatMap(({ data }) => data?.data ?? []),
  })
    .flatMap((row): Change[] => {
      const percent = measuredField
        ? changeInPercent(row.before?.[measuredField.key], row.after[measuredField.key])
        : null
      return percent !== null && Math.abs(percent) > notableChange ? [{ row, percent }] : []
    })
    .toSorted((left, right) => Math.abs(right.percent) - Math.abs(left.percent))
  const shownRows = useReaderNames(
    record.kind,
    record.mapping?.locale ?? locale,
    readRows.slice(0, maxListedChanges).map(({ row }) => row),
  )
  const changes = readRows.map(({ row, percent }, index) => ({ row: shownRows[index] ?? row, percent }))
  if (!measuredField || changes.length === 0) return null
  // Each changed row of the import is named by its first two links or texts.
  const names = columns
    .filter(({ field }) => field.key !== measuredField.key && (field.kind === 'link' || field.kind === 'text'))
    .slice(0, 2)
  return (
    <Sheet className="overflow-hidden" aria-label={t('import.notable')}>
      <h2 className="px-[18px] pt-4 pb-3 text-lg font-semibold">
        {t('import.notable')}{' '}
        <span className="text-sm font-normal text-muted">{t('import.notableCount', { count: changes.length })}</span>
      </h2>
      <ScrollRegion aria-label={t('import.notable')} className="overflow-x-auto">
        <table className="w-full text-md">
          <caption className="sr-only">{t('import.notable')}</caption>
          <thead>
            <tr className="[&>th]:border-y [&>th]:border-line [&>th]:px-2.5 [&>th]:py-2 [&>th]:text-sm [&>th]:font-medium [&>th]:text-muted">
              {names.map(({ field }) => (
                <th key={field.key} scope="col" className="text-start first:ps-[18px]!">
                  {fieldLabel(record.kind, field)}
                </th>
              ))}
              <th scope="col" className="text-end">
                {fieldLabel(record.kind, measuredField)}
              </th>
              <th scope="col" className="pe-[18px]! text-end">
                {t('import.difference')}
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, maxListedChanges).map(({ row, percent }) => (
              <tr
                key={row.row}
                className="[&>td]:border-b [&>td]:border-line [&>td]:px-2.5 [&>td]:py-2 last:[&>td]:border-b-0"
              >
                {names.map(({ field }) => (
                  <td key={field.key} className="first:ps-[18px]! first:font-semibold">
                    {valueText(record.kind, field, row.after[field.key], locale)}
                  </td>
                ))}
                <td className="text-end tabular-nums">
                  <OldAndNewValue
                    before={valueText(record.kind, measuredField, row.before?.[measuredField.key], locale)}
                    after={valueText(record.kind, measuredField, row.after[measuredField.key], locale)}
                  />
                </td>
                <td className="pe-[18px]! text-end whitespace-nowrap text-warning-text tabular-nums">
                  {changeText(locale, percent)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {pages > maxLoadedPages ? (
        <p className="border-t border-line px-[18px] py-2.5 text-sm text-muted">
          {t('import.notableAmong', { count: maxLoadedPages * pageSize })}
        </p>
      ) : null}
    </Sheet>
  )
}
