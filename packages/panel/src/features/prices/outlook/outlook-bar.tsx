/** The filters that the chart, the changes, the map and the bulletin share. */
import { choiceLabel, type Resource, resources, priceMarkets } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { languageOf, resourceQueries } from '../../../api/resource-queries.ts'
import { namingFields, useTitleOf } from '../../../fields/field-display.tsx'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import type { OutlookState } from './outlook-search.ts'

const allValue = 'all'

/** Records that a filter of the price pages offers, in the user's language. */
export function useChoices(resource: Resource) {
  const locale = useLocale()
  const titleOf = useTitleOf(resource)
  const { data } = useQuery(
    resourceQueries(resource).list({
      ...languageOf(resource, locale),
      fields: namingFields(resource),
      sort: 'order',
      pagination: { pageSize: 100, withCount: false },
    }),
  )
  return data?.entries.map((entry) => ({ value: String(entry.id), label: titleOf(entry) }))
}

interface OutlookBarProps {
  state: OutlookState
  /** Filters of the price page in display order. */
  filters: readonly ('product' | 'region' | 'category')[]
  /** Further controls behind the filters of the price page. */
  children?: ReactNode
}

export function OutlookBar({ state, filters, children }: OutlookBarProps) {
  const t = useT()
  const { search, change } = state
  return (
    <Sheet
      aria-label={t('prices.filters')}
      className="z-10 mb-4 flex flex-wrap items-center gap-2.5 px-4 py-3 max-md:px-3.5"
    >
      {filters.map((name) =>
        name === 'product' ? (
          <ProductSelect key={name} state={state} />
        ) : (
          <FilterSelect key={name} name={name} state={state} />
        ),
      )}
      <SegmentedControl
        label={t('field.market_type')}
        value={search.market}
        onValueChange={(market) => change({ market })}
        segments={priceMarkets.map((value) => ({
          value,
          label: firstTranslation(choiceLabel(resources.pricelists, 'market_type', value)),
        }))}
      />
      {children}
    </Sheet>
  )
}

const variants = {
  region: { resource: resources.regions, name: 'field.region', all: 'prices.allRegions' },
  category: { resource: resources.productcategories, name: 'productcategories.one', all: 'prices.allProducts' },
} as const

function FilterSelect({ name, state: { search, change } }: { name: 'region' | 'category'; state: OutlookState }) {
  const t = useT()
  const { resource, name: label, all } = variants[name]
  const choices = useChoices(resource) ?? []
  return (
    <Select
      variant="filter"
      aria-label={t(label)}
      value={search[name] ?? allValue}
      onValueChange={(value) => change({ [name]: value === allValue ? undefined : value })}
      choices={[{ value: allValue, label: t(all) }, ...choices]}
      className="max-w-[260px]"
    />
  )
}

/** Chosen product, the first one by default: a page shows one product. */
export function useProduct({ search }: OutlookState): string | undefined {
  const choices = useChoices(resources.products)
  return search.product ?? choices?.[0]?.value
}

function ProductSelect({ state }: { state: OutlookState }) {
  const t = useT()
  const choices = useChoices(resources.products) ?? []
  const product = useProduct(state)
  return (
    <Select
      variant="filter"
      aria-label={t('products.one')}
      value={product ?? null}
      onValueChange={(value) => state.change({ product: value })}
      choices={choices}
      className="max-w-[260px]"
    />
  )
}
