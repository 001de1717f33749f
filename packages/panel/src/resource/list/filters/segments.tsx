/** Segments of a list: the values of one field side by side, with the number of records for each. */
import type { Resource } from '@dala/model'
import { filterOf } from '../../../fields/filters/filter.ts'
import { valueLabel } from '../../../fields/filters/filter-values.ts'
import { labelOf } from '../../../fields/field-display.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { useSegmentCounts } from '../counts.ts'
import { setFilter } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

/** Value of the segment for "no filter": one of the segments is always active. */
const allValue = 'all'

export function ListSegments({ resource, list, name }: { resource: Resource; list: ResourceList; name: string }) {
  const t = useT()
  const locale = useLocale()
  const filter = filterOf(resource, name)
  const values = filter?.values ?? ['true', 'false']
  const counts = useSegmentCounts(list, name)
  if (!filter) return null
  const formatFigure = (count: number) => ({ count: formatNumber(locale, count) })
  return (
    <SegmentedControl
      label={labelOf(resource, name)}
      value={list.query.filters[name] ?? allValue}
      onValueChange={(value) => list.go(setFilter(list, name, value === allValue ? undefined : value))}
      segments={[
        { value: allValue, label: t('list.all'), ...(counts && formatFigure(counts.total)) },
        ...values.map((value) => ({
          value,
          label: valueLabel(resource, filter, value),
          ...(counts && formatFigure(counts.countsByValue.get(value) ?? 0)),
        })),
      ]}
      className="max-md:w-full"
    />
  )
}
