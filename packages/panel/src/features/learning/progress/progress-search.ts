/** State of the progress page of a course, which the address stores. */
import { isLocale, type Locale } from '@dala/model'
import type { LearnerSort } from '@dala/model/api/progress'
import { useNavigate, useSearch } from '@tanstack/react-router'

/** Columns by which the learners of a course are sorted. */
export const learnerColumns = ['name', 'region', 'percent', 'last_activity', 'completed_at'] as const
export type LearnerColumn = (typeof learnerColumns)[number]

/** Number of learners on one page of the list. */
export const learnersOnPage = 15

export interface ProgressSearch {
  /** Language in which learners used the lessons. */
  locale?: Locale | undefined
  region?: string | undefined
  /** Video of the curve: the id of its lesson and of its part, `12` or `12.part`. */
  video?: string | undefined
  q: string
  page: number
  sort: { column: LearnerColumn; descending: boolean }
}

const defaultSort: LearnerSort = 'last_activity:desc'

function readSort(value: unknown): ProgressSearch['sort'] {
  const [name, direction] = (typeof value === 'string' ? value : defaultSort).split(':')
  const column = learnerColumns.find((learnerColumn) => learnerColumn === name)
  if (!column || (direction !== 'asc' && direction !== 'desc')) return readSort(defaultSort)
  return { column, descending: direction === 'desc' }
}

/** Text of the list's sort order, as the API expects it. */
export const sortText = ({ column, descending }: ProgressSearch['sort']): LearnerSort =>
  `${column}:${descending ? 'desc' : 'asc'}`

/** Parses the address of the progress page; invalid values are dropped and never cause an error. */
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

/** Builds the address of the progress page from its state; defaults are left out. */
export function writeProgressSearch({ locale, region, video, q, page, sort }: ProgressSearch): Record<string, string> {
  const order = sortText(sort)
  return {
    ...(locale !== undefined && { language: locale }),
    ...(region !== undefined && { region }),
    ...(video !== undefined && { video }),
    ...(q !== '' && { q }),
    ...(page > 1 && { page: String(page) }),
    ...(order !== defaultSort && { sort: order }),
  }
}

export interface ProgressState {
  search: ProgressSearch
  /**
   * Changes the state; a changed filter adds a history entry unless `replace` is set, as while typing in the
   * search.
   */
  change: (searchChange: Partial<ProgressSearch>, replace?: boolean) => void
}

/** Reads and writes the address of the progress page. */
export function useProgressState(): ProgressState {
  const search = readProgressSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return {
    search,
    change: (newSearch, replace = false) =>
      void navigate({ to: '.', search: writeProgressSearch({ ...search, ...newSearch }), resetScroll: false, replace }),
  }
}
