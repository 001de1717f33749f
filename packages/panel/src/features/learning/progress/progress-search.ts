/** The state of the page of progress, stored in the address. */
import { isLocale, type Locale } from '@dala/model'
import type { LearnerSort } from '@dala/model/api/progress'
import { useNavigate, useSearch } from '@tanstack/react-router'

/** Columns by which learners are sorted. */
export const learnerColumns = ['name', 'region', 'percent', 'last_activity', 'completed_at'] as const
export type LearnerColumn = (typeof learnerColumns)[number]

/** Number of learners on a page. */
export const learnersOnPage = 15

export interface ProgressSearch {
  /** Language in which the lessons were used. */
  locale?: Locale | undefined
  region?: string | undefined
  /** Video of the curve: the id of its lesson and of its part, `12` or `12.part`. */
  video?: string | undefined
  q: string
  page: number
  sort: { column: LearnerColumn; descending: boolean }
}

const usualSort: LearnerSort = 'last_activity:desc'

function readSort(value: unknown): ProgressSearch['sort'] {
  const [name, direction] = (typeof value === 'string' ? value : usualSort).split(':')
  const column = learnerColumns.find((one) => one === name)
  if (!column || (direction !== 'asc' && direction !== 'desc')) return readSort(usualSort)
  return { column, descending: direction === 'desc' }
}

/** Text of an order, as the call has it. */
export const sortText = ({ column, descending }: ProgressSearch['sort']): LearnerSort =>
  `${column}:${descending ? 'desc' : 'asc'}`

/** Parses the address; invalid values are dropped and never cause an error. */
export function readProgressSearch(search: Readonly<Record<string, unknown>>): ProgressSearch {
  const { language, region, video, q, page, sort } = search
  return {
    locale: isLocale(language) ? language : undefined,
    region: typeof region === 'string' && /^[1-9]\d{0,9}$/.test(region) ? region : undefined,
    video: typeof video === 'string' ? video : undefined,
    q: typeof q === 'string' ? q : '',
    page: typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    sort: readSort(sort),
  }
}

/** Builds the address of a state; defaults are left out. */
export function writeProgressSearch({ locale, region, video, q, page, sort }: ProgressSearch): Record<string, string> {
  const order = sortText(sort)
  return {
    ...(locale !== undefined && { language: locale }),
    ...(region !== undefined && { region }),
    ...(video !== undefined && { video }),
    ...(q !== '' && { q }),
    ...(page > 1 && { page: String(page) }),
    ...(order !== usualSort && { sort: order }),
  }
}

export interface ProgressState {
  search: ProgressSearch
  /** Each change of a filter is a history entry; typing in the search is none. */
  change: (next: Partial<ProgressSearch>, replace?: boolean) => void
}

/** Reads and writes the address. */
export function useProgressState(): ProgressState {
  const search = readProgressSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return {
    search,
    change: (next, replace = false) =>
      void navigate({ to: '.', search: writeProgressSearch({ ...search, ...next }), resetScroll: false, replace }),
  }
}
