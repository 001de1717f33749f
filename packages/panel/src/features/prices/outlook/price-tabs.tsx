/** Tabs of the price lists: the days, the chart, the changes and the map. */
import { Link } from '@tanstack/react-router'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'

const views = ['days', 'chart', 'changes', 'map'] as const
export type PriceView = (typeof views)[number]

const addressOf = (view: PriceView) => (view === 'days' ? '/app/price-list' : `/app/price-list/${view}`)

export function PriceTabs({ view }: { view: PriceView }) {
  const t = useT()
  return (
    <nav aria-label={t('prices.views')} className="mb-3 overflow-x-auto border-b border-line max-md:mb-1.5">
      <ul className="flex gap-1">
        {views.map((tabView) => (
          <li key={tabView}>
            <Link
              to={addressOf(tabView)}
              aria-current={tabView === view ? 'page' : undefined}
              className={cx(
                '-mb-px inline-flex min-h-(--control) items-center border-b-2 px-3 text-md font-medium whitespace-nowrap max-md:min-h-11',
                tabView === view ? 'border-brand-ui text-ink' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {t(`prices.view.${tabView}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
