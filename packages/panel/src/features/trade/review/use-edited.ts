/** A trading post as it would be shown once its edit is approved. */
import { type Entry, type PostReview, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { resourceQueries } from '../../../api/resource-queries.ts'

const { uploads } = resources

interface EditedPost {
  post: Entry
  /** Ids of the pictures that the edit of the post adds. */
  addedPhotos: ReadonlySet<number>
}

const idOf = (value: unknown): number[] =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? [value.id] : []
const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.flatMap(idOf) : idOf(value))

/** Applies a pending edit to the values of a post; its new pictures need a separate request. */
export function useEditedPost(record: Entry, edit: PostReview['edit']): EditedPost {
  const changes = (edit?.state === 'waiting' ? edit.changes : []).filter(
    ({ locale }) => locale === null || locale === record.locale,
  )
  const pictures = changes.filter(({ field }) => field === 'images' || field === 'mainPhoto')
  const photoIds = [...new Set(pictures.flatMap(({ after }) => idsOf(after)))]
  const query = { filters: { id: { $in: photoIds.map(String) } }, pagination: { pageSize: 20 } }
  const { data } = useQuery({ ...resourceQueries(uploads).list(query), enabled: photoIds.length > 0 })
  const fileOf = (id: number) => data?.entries.find((file) => file.id === id)
  const post: Record<string, unknown> = { ...record }
  for (const { field, after } of changes) {
    if (field === 'images') post[field] = idsOf(after).flatMap((id) => fileOf(id) ?? [])
    else if (field === 'mainPhoto') post[field] = idsOf(after).map(fileOf)[0] ?? null
    // Linked records of a pending edit are omitted: the page shows them by name beside the public version.
    else if (typeof after !== 'object' || after === null) post[field] = after
  }
  const formerIds = new Set(pictures.flatMap((change) => idsOf(change.before)))
  return { post: { ...post, id: record.id }, addedPhotos: new Set(photoIds.filter((id) => !formerIds.has(id))) }
}
