/** The calls that read the outline of a course and put it into order (e-learning §5). */
import { type Locale, resources } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { type Outline, orderOf } from './tree.ts'

interface WireOutline {
  data: Outline
}

const pathOf = (course: number) => `/courses/${course}/outline`

/** The outline of a course with titles in a language. */
export const outlineQuery = (course: number, locale: Locale) =>
  queryOptions({
    queryKey: [...resourceQueries(resources.courses).all, 'outline', course, locale],
    queryFn: async ({ signal }) => (await call<WireOutline>('GET', pathOf(course), { query: { locale }, signal })).data,
    meta: { inPlace: true },
  })

/** Stores an order; the answer is the outline as it is then. */
export async function saveOrder(course: number, locale: Locale, outline: Outline): Promise<Outline> {
  const body = { data: orderOf(outline) }
  return (await call<WireOutline>('PUT', pathOf(course), { query: { locale }, body })).data
}
