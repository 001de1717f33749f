/** The edit of the user's own public post, until a moderator has decided on it. */
import { resources } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callRoute } from '../../api/route.ts'

/** Query of the pending edit of a post; null without one. */
export const editQuery = (id: number) =>
  queryOptions({
    queryKey: [...resourceQueries(resources.tradinposts).all, 'edit', id],
    queryFn: async ({ signal }) => (await callRoute('GET /api/tradinposts/:id/edit', { params: { id }, signal })).data,
    meta: { inPlace: true },
  })

/** Withdraws the pending edit of a post before a decision. */
export const withdrawEdit = (id: number) => callRoute('DELETE /api/tradinposts/:id/edit', { params: { id } })
