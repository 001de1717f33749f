/** Calls that read and reorder the outline of a course (e-learning §5). */
import { type Locale, resources } from '@dala/model'
import type { Outline } from '@dala/model/api/learning'
import { queryOptions } from '@tanstack/react-query'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { callRoute } from '../../../api/route.ts'
import { orderOf } from './tree.ts'

/** Query of a course outline with titles in a language. */
export const outlineQuery = (course: number, locale: Locale) =>
  queryOptions({
    queryKey: [...resourceQueries(resources.courses).all, 'outline', course, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/courses/:id/outline', { params: { id: course }, query: { locale }, signal })).data,
    meta: { inPlace: true },
  })

/** Stores the order of an outline and returns the new outline. */
export async function saveOrder(course: number, locale: Locale, outline: Outline): Promise<Outline> {
  const body = { data: orderOf(outline) }
  return (await callRoute('PUT /api/courses/:id/outline', { params: { id: course }, query: { locale }, body })).data
}
