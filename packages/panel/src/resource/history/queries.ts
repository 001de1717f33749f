/** Calls about a record's past (extensions of the contract): history, revert, uses, trash, restore. */
import type { Entry, Locale, Resource, RevertBody, Revision } from '@dala/model'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callServer } from '../../api/client.ts'
import { callRoute, type RouteAnswer } from '../../api/route.ts'

type RevertAnswer = RouteAnswer<'POST /api/:wire/:id/revert'>

const isFlat = (answer: RevertAnswer): answer is Entry => 'id' in answer

export { hasTrash } from '@dala/model'

const pageSize = 20

/** Query of an entry's revisions, newest first; with a field, only those that changed the field. */
export const historyQuery = ({ wire, name }: Resource, id: number, locale: Locale, field?: string) =>
  infiniteQueryOptions({
    queryKey: ['resource', name, 'history', id, locale, field],
    queryFn: ({ pageParam, signal }) =>
      callRoute('GET /api/:wire/:id/history', {
        params: { wire, id },
        query: { field, locale, pagination: { page: pageParam, pageSize } },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ meta: { pagination } }) =>
      pagination.page * pagination.pageSize < (pagination.total ?? 0) ? pagination.page + 1 : undefined,
    staleTime: 0,
    meta: { inPlace: true },
  })

/** Loads the newest revision of an entry. */
export const lastRevision = async ({ wire }: Resource, id: number): Promise<Revision | undefined> => {
  const query = { pagination: { page: 1, pageSize: 1 } }
  const { data } = await callRoute('GET /api/:wire/:id/history', { params: { wire, id }, query })
  return data[0]
}

/** Reverts a record, or some of its fields, to the values before or after a revision. */
export const revertRecord = async ({ wire }: Resource, id: number, data: RevertBody): Promise<Entry> => {
  const answer = await callRoute('POST /api/:wire/:id/revert', { params: { wire, id }, body: { data } })
  return isFlat(answer) ? answer : { ...answer.data.attributes, id: answer.data.id }
}

/** Query of the records that link to a record; those that block its deletion come first. */
export const usesQuery = ({ wire, name }: Resource, id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['resource', name, 'uses', id, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/:wire/:id/uses', { params: { wire, id }, query: { locale }, signal })).data,
    staleTime: 0,
    meta: { inPlace: true },
  })

/** Records that were deleted in the last 30 days and can be restored. */
export const trashQuery = (resource: string | undefined, page: number, locale: Locale, size: number) =>
  queryOptions({
    queryKey: ['resource', 'trash', resource, page, locale],
    queryFn: ({ signal }) =>
      callRoute('GET /api/trash', {
        query: { resource, locale, pagination: { page, pageSize: size } },
        signal,
      }),
    meta: { inPlace: true },
  })

/** Restores a deleted record, with everything that was deleted with it. */
export const restoreRevision = (wire: string, id: number) => callServer('POST', `/${wire}/${id}/restore`)
