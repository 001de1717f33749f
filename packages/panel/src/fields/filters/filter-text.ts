/** Filters and their conditions as text: "Region: Buxoro", "Price: 5–10". */
import type { Resource } from '@dala/model'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { labelOf, useTitleOf } from '../field-display.tsx'
import { resourceNamed } from '../relation/targets.ts'
import type { Condition } from './condition.ts'
import type { Filter } from './filter.ts'
import { useLinked, valueLabel } from './filter-values.ts'

/** Name of a list's filter in the user's language. */
export function filterLabel(resource: Resource, { name, kind }: Filter): string {
  return kind === 'language' ? firstTranslation([`filter.${name}`]) : labelOf(resource, name)
}

/**
 * The text of a condition without the name of its filter; linked records show their names once they are
 * loaded.
 */
export function useConditionLabel(resource: Resource, filter: Filter, condition: Condition): string {
  const t = useT()
  const locale = useLocale()
  const target = filter.target === undefined ? resource : resourceNamed(filter.target)
  const chosenIds = condition.is === 'anyOf' ? condition.values : []
  const titleOf = useTitleOf(target)
  const linkedRecords = useLinked(target, chosenIds, filter.kind === 'link')
  const end = (text: string) => (filter.kind === 'number' ? formatNumber(locale, Number(text)) : formatDate(text))
  switch (condition.is) {
    case 'empty':
      return t('filter.none')
    case 'filled':
      return t('filter.some')
    case 'equal':
      return condition.text
    case 'contains':
      return t('filter.containing', { text: condition.text })
    case 'starts':
      return t('filter.starting', { text: condition.text })
    case 'range': {
      const { from, to } = condition
      if (from === undefined) return t('filter.atMost', { to: end(to ?? '') })
      if (to === undefined) return t('filter.atLeast', { from: end(from) })
      return from === to ? end(from) : t('filter.between', { from: end(from), to: end(to) })
    }
    case 'anyOf':
      return filter.kind === 'link'
        ? (linkedRecords?.map(titleOf) ?? chosenIds.map((id) => `№ ${id}`)).join(', ')
        : chosenIds.map((value) => valueLabel(resource, filter, value)).join(', ')
  }
}
