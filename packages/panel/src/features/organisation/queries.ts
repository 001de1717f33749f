/** Query of the organisation's settings, with their history. */
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

export const organisationQuery = queryOptions({
  queryKey: ['organisation'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/organisation', { signal })).data,
  meta: { inPlace: true },
})
