/** Calls that read the figures and the learners of a course (e-learning §5). */
import { type Locale, resources, type WrittenLocale } from '@dala/model'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { callFile, callRoute } from '../../../api/route.ts'
import { fileOf } from '../../../resource/list/file.ts'
import { learnersOnPage, type ProgressSearch, sortText } from './progress-search.ts'

const sharedOptions = { placeholderData: keepPreviousData, meta: { inPlace: true } } as const
const keyOf = (course: number, queryName: string) => [...resourceQueries(resources.courses).all, queryName, course]

/**
 * Query of a course's progress figures, optionally for lessons in one language and learners of one region.
 */
export function statisticsQuery(course: number, { locale, region }: ProgressSearch, titles: Locale) {
  const query = { titles, ...(locale !== undefined && { locale }), ...(region !== undefined && { region }) }
  return queryOptions({
    queryKey: [...keyOf(course, 'statistics'), query],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/courses/:id/statistics', { params: { id: course }, query, signal })).data,
    ...sharedOptions,
  })
}

/** Parameters that the request for a page of learners shares with the one for their sheet. */
const learnersOf = ({ q, sort }: ProgressSearch, locale: WrittenLocale) => ({
  locale,
  sort: sortText(sort),
  ...(q !== '' && { _q: q }),
})

/** Query of a page of the learners of a course. */
export function learnersQuery(course: number, search: ProgressSearch, locale: Locale) {
  const query = { ...learnersOf(search, locale), pagination: { page: search.page, pageSize: learnersOnPage } }
  return queryOptions({
    queryKey: [...keyOf(course, 'learners'), query],
    queryFn: ({ signal }) => callRoute('GET /api/courses/:id/learners', { params: { id: course }, query, signal }),
    ...sharedOptions,
  })
}

/** Loads the sheet with all learners that the search finds, in the order of the search. */
export const loadSheet = (course: number, search: ProgressSearch, locale: WrittenLocale) =>
  callFile(
    'GET /api/courses/:id/learners',
    { params: { id: course }, query: { ...learnersOf(search, locale), format: 'xlsx' } },
    fileOf,
  )

/** Loads the certificate of a learner as a PDF. */
export const loadCertificate = (course: number, learner: number, locale: WrittenLocale) =>
  callFile(
    'GET /api/courses/:id/learners/:learner/certificate',
    { params: { id: course, learner }, query: { locale } },
    fileOf,
  )
