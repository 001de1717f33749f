/** Links from a price day to the previous and next day that have a table. */
import type { Entry, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { resourceQueries } from '../../api/resource-queries.ts'
import { formatDate } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import { iconButtonClass } from '../../ui/icon-button.tsx'

const directions = {
  before: { operator: '$lt', sort: 'date:desc', words: 'prices.dayBefore', Icon: ChevronLeft },
  after: { operator: '$gt', sort: 'date:asc', words: 'prices.dayAfter', Icon: ChevronRight },
} as const

interface DayNeighboursProps {
  screen: Screen
  record: Entry
}

export function DayNeighbours(props: DayNeighboursProps) {
  return (
    <span className="flex max-md:hidden">
      <Neighbour {...props} side="before" />
      <Neighbour {...props} side="after" />
    </span>
  )
}

/** The space of a link stays empty without such a day, so that the other link does not move. */
function Neighbour({ screen, record, side }: DayNeighboursProps & { side: keyof typeof directions }) {
  const t = useT()
  const locale = useLocale()
  const { operator, sort, words, Icon } = directions[side]
  const { data } = useQuery(
    resourceQueries(screen.resource).list({
      locale,
      fields: ['date'],
      filters: { date: { [operator]: String(record['date']) } },
      sort,
      pagination: { pageSize: 1, withCount: false },
    }),
  )
  const [day] = data?.entries ?? []
  if (!day) return <span className="size-9" />
  const label = t(words, { date: formatDate(String(day['date'])) })
  return (
    <Link {...recordAddress(screen, day.id)} aria-label={label} data-tip={label} className={iconButtonClass}>
      <Icon size={18} aria-hidden className="rtl:rotate-180" />
    </Link>
  )
}
