/** The edit of one's own public post, until a moderator has decided on it. */
import { type PostReview, resources } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { resourceQueries } from '../../api/resource-queries.ts'

/** The edit beside a post; null without one. */
export const editQuery = (id: number) =>
  queryOptions({
    queryKey: [...resourceQueries(resources.tradinposts).all, 'edit', id],
    queryFn: async ({ signal }) =>
      (await call<{ data: PostReview['edit'] }>('GET', `/tradinposts/${id}/edit`, { signal })).data,
    meta: { inPlace: true },
  })

/** Takes the edit away before it is decided. */
export const withdrawEdit = (id: number) => call('DELETE', `/tradinposts/${id}/edit`, {})
