/** Panel about the reading of the file: invisible details of the file, and how they were treated. */
import type { ImportColumn, ImportReading } from '@dala/model'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Sheet } from '../../../ui/layout/sheet.tsx'

/** Maximum number of places in a file that are named; above it, only their count is shown. */
const maxNamedPlaces = 4

export function ReadingPanel({ reading, columns }: { reading: ImportReading; columns: readonly ImportColumn[] }) {
  const t = useT()
  const locale = useLocale()
  const hiddenCount = columns.filter(({ isHidden }) => isHidden).map(({ letter }) => letter)
  const placesText = (list: readonly (string | number)[], count: number) => {
    const shownPlaces = list
      .slice(0, maxNamedPlaces)
      .map((placeName) => (typeof placeName === 'number' ? formatNumber(locale, placeName) : placeName))
    return count > shownPlaces.length
      ? t('import.andMore', { names: shownPlaces.join(', '), count: count - shownPlaces.length })
      : shownPlaces.join(', ')
  }
  const details = [
    {
      label: t('import.formulas'),
      value: reading.formulas > 0 ? t('import.byStored', { count: reading.formulas }) : '',
    },
    { label: t('import.hiddenRows'), value: placesText(reading.hidden_rows, reading.hidden_rows_count), warns: true },
    { label: t('import.hiddenColumns'), value: placesText(hiddenCount, hiddenCount.length), warns: true },
    { label: t('import.merged'), value: placesText(reading.merged, reading.merged_count), warns: true },
    { label: t('import.protection'), value: reading.is_protected ? t('import.isProtected') : '' },
  ].filter(({ value }) => value !== '')
  return (
    <Sheet className="px-[18px] py-4" aria-label={t('import.howRead')}>
      <h2 className="text-lg font-semibold">{t('import.howRead')}</h2>
      {details.length === 0 ? <p className="mt-1 text-sm text-muted">{t('import.readPlainly')}</p> : null}
      <dl className="mt-2 text-sm">
        {details.map(({ label, value, warns }) => (
          <div key={label} className="flex items-baseline justify-between gap-4 border-t border-line py-[9px]">
            <dt className="text-muted">{label}</dt>
            <dd className={`text-end font-semibold ${warns ? 'text-warning-text' : ''}`}>{value}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
