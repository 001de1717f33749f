/** The footer of a list: the range of the rows, the page size, and the pager. */
import { pageSizes } from '@dala/model'
import type { Page } from '../../api/resource-queries.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Pager } from '../../ui/layout/pager.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { totalText } from '../total-text.ts'
import { setSearch } from './list-session.ts'
import type { ResourceList } from './use-resource-list.ts'

export function ListFooter({ list, data }: { list: ResourceList; data: Page }) {
  const t = useT()
  const locale = useLocale()
  const { page, size } = list.paging
  const { total } = data
  const shownCount = data.entries.length
  if (total === 0) return null
  const firstNumber = (page - 1) * size + 1
  // The initial page size of a list, 15, stays an option until another size is chosen (requirements §9).
  const sizes = [...new Set([...pageSizes, size])].toSorted((a, b) => a - b)
  return (
    <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-2.5">
      <output className="text-sm text-muted tabular-nums">
        <bdi>
          {t('list.range', {
            from: formatNumber(locale, shownCount === 0 ? 0 : firstNumber),
            to: formatNumber(locale, shownCount === 0 ? 0 : firstNumber + shownCount - 1),
            total: totalText(locale, data),
          })}
        </bdi>
      </output>
      <Select
        variant="filter"
        aria-label={t('list.pageSize')}
        value={size}
        onValueChange={(chosenSize) => list.go(setSearch(list, { size: chosenSize }))}
        choices={sizes.map((value) => ({ value, label: t('list.perPage', { size: formatNumber(locale, value) }) }))}
      />
      <div className="ms-auto">
        <Pager
          page={page}
          pageSize={size}
          total={total}
          onPageChange={(nextPage) => list.go(setSearch(list, { page: nextPage }))}
        />
      </div>
    </footer>
  )
}
