/** The values of one field side by side, with how many records each of them has. */
import type { Resource } from '@dala/model'
import { filterOf } from '../fields/filters/filter.ts'
import { valueWord } from '../fields/filters/filter-values.ts'
import { labelOf } from '../fields/field-display.tsx'
import { formatNumber } from '../lib/format.ts'
import { useLocale, useT } from '../lib/i18n.ts'
import { Segmented } from '../ui/segmented.tsx'
import { changeFilter } from './list-conditions.ts'
import { type ResourceList, useSegmentCounts } from './use-resource-list.ts'

/** Stands for "no filter": one of the segments always holds. */
const everything = 'all'

export function ListSegments({ resource, list, name }: { resource: Resource; list: ResourceList; name: string }) {
  const t = useT()
  const locale = useLocale()
  const filter = filterOf(resource, name)
  const values = filter?.values ?? ['true', 'false']
  const counts = useSegmentCounts(list, name, values)
  if (!filter) return null
  const count = (value: string) => {
    const total = counts?.get(value)
    return total === undefined ? {} : { count: formatNumber(locale, total) }
  }
  return (
    <Segmented
      label={labelOf(resource, name)}
      value={list.search.filter?.[name] ?? everything}
      onValueChange={(value) => changeFilter(list, name, value === everything ? undefined : value)}
      segments={[
        { value: everything, label: t('list.all'), ...count(everything) },
        ...values.map((value) => ({ value, label: valueWord(resource, filter, value), ...count(value) })),
      ]}
      className="max-md:w-full md:max-lg:max-w-[calc(100%-90px)]"
    />
  )
}
