/**
 * Stores the order of a course's outline: every group and lesson once, in one transaction (e-learning §5).
 */
import { fault, type Locale } from '@dala/model'
import type { BodyOf } from '@dala/model/api/contract'
import type { learningRoutes } from '@dala/model/api/learning'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { auditSql } from '../../resources/history/audit.ts'
import type { Author, Change } from '../../resources/history/history.ts'
import { type PlacedRow, readOutline, type StoredOutline } from './outline.ts'

/** Order that a caller requests for the records of an outline, by wire ids. */
export type RequestedOrder = BodyOf<(typeof learningRoutes)['PUT /api/courses/:id/outline']>['data']

/** Finds the documents of a course's wire ids, in any language. */
async function documentsOf(
  trx: Transaction,
  table: 'lessons' | 'lessongroups',
  placedRows: readonly PlacedRow[],
): Promise<Map<number, number>> {
  const documents = placedRows.map(({ document }) => document)
  const rows = await trx.query(sql<{ id: number; document: number }>`
    select id, document_id as document from ${sql.table(`${table}_texts`)} where document_id = any(${documents}::int[])`)
  return new Map(rows.map(({ id, document }) => [id, document]))
}

/**
 * Returns the requested places of an outline's list, by document.
 *
 * @throws 422 unless the list names each stored record exactly once.
 */
function assertSameRecords(
  field: 'groups' | 'lessons',
  ids: readonly number[],
  documentsById: ReadonlyMap<number, number>,
) {
  const namedDocuments = ids.map((id) => documentsById.get(id))
  const foreignIds = ids.filter((id) => !documentsById.has(id))
  const storedDocuments = new Set(documentsById.values())
  const seenDocuments = new Set(namedDocuments)
  const missingCount = [...storedDocuments].filter((document) => !seenDocuments.has(document)).length
  if (foreignIds.length === 0 && missingCount === 0 && namedDocuments.length === storedDocuments.size) return
  const params = { field }
  throw fault('course.outline', {
    params,
    issues: [{ path: [field], code: 'course.outline', params }],
    details: { foreign: foreignIds, missing: missingCount },
  })
}

interface OutlineMove {
  id: number
  position: number
  lessongroup: number | null
  changes: Record<string, Change>
}

/** Returns the records of an outline whose requested place differs from the stored one. */
function requestedMovesOf(requestedRows: readonly PlacedRow[], storedRows: readonly PlacedRow[]): OutlineMove[] {
  const placesBefore = new Map(storedRows.map((storedRow) => [storedRow.document, storedRow]))
  return requestedRows.flatMap(({ document, position, group }): OutlineMove[] => {
    const rowBefore = placesBefore.get(document)
    if (!rowBefore) return []
    const changes = {
      ...(rowBefore.position !== position && { position: { before: rowBefore.position, after: position } }),
      ...(rowBefore.group !== group && { lessongroup: { before: rowBefore.group, after: group } }),
    }
    return Object.keys(changes).length > 0 ? [{ id: document, position, lessongroup: group, changes }] : []
  })
}

/**
 * Moves records of an outline with one statement, whatever their number.
 *
 * @returns The ids of their revisions.
 */
async function movePlaces(
  trx: Transaction,
  user: number,
  table: 'lessons' | 'lessongroups',
  moves: readonly OutlineMove[],
): Promise<number[]> {
  if (moves.length === 0) return []
  const groupSql = table === 'lessons' ? sql`, lessongroup_id = m.lessongroup` : sql``
  const rows = await trx.query(sql<{ id: number }>`
    with moves as (
      select * from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m(id int, position int, lessongroup int, changes jsonb)),
    placed as (
      update ${sql.table(table)} d set position = m.position${groupSql} from moves m where d.id = m.id),
    touched as (
      update ${sql.table(`${table}_texts`)} set version = version + 1, updated_at = now() where document_id in (select id from moves)),
    traced as (
      insert into revisions (resource, document_id, operation, changes, user_id)
      select ${table}::text, m.id, 'update', m.changes, ${user}::int from moves m returning id)
    select id from traced order by id`)
  trx.changed(table)
  return rows.map(({ id }) => id)
}

export interface OrderedCourse {
  document: number
  /** Wire id of the course in the request. */
  entry: number
  author: Author
  locale: Locale
  /** Whether the server asks video sites about linked videos. */
  videoChecks: boolean
}

/**
 * Stores a new order of the groups and lessons of a locked course. Places count from 1 within their list.
 *
 * @returns The outline after the change.
 * @throws 409 with the stored outline in `details.current` when the version is stale; 422 when the order does
 * not name every group and every lesson of the course once.
 */
export async function storeOrder(
  trx: Transaction,
  { document, entry, author, locale, videoChecks }: OrderedCourse,
  requestedOrder: RequestedOrder,
): Promise<StoredOutline['outline']> {
  // A concurrent deletion of a lesson waits for these locks, or is over already: then the version of the
  // outline differs.
  for (const table of ['lessongroups', 'lessons'])
    await trx.query(sql`select id from ${sql.table(table)} where course_id = ${document} order by id for update`)
  const storedOutline = await readOutline(trx, author.caller, document, locale, { videoChecks })
  if (storedOutline.outline.version !== requestedOrder.version)
    throw fault('record.stale', { details: { current: storedOutline.outline } })

  const groupIds = requestedOrder.groups.map(({ id }) => id)
  const lessonIds = [...requestedOrder.groups.flatMap(({ lessons }) => lessons), ...requestedOrder.lessons]
  const groups = await documentsOf(trx, 'lessongroups', storedOutline.groups)
  const lessons = await documentsOf(trx, 'lessons', storedOutline.lessons)
  assertSameRecords('groups', groupIds, groups)
  assertSameRecords('lessons', lessonIds, lessons)

  const placesOf = (
    ids: readonly number[],
    documentsById: ReadonlyMap<number, number>,
    group: number | null,
  ): PlacedRow[] => ids.map((id, index) => ({ document: documentsById.get(id) ?? 0, group, position: index + 1 }))
  const lessonPlaces = [
    ...requestedOrder.groups.flatMap(({ id, lessons: ids }) => placesOf(ids, lessons, groups.get(id) ?? null)),
    ...placesOf(requestedOrder.lessons, lessons, null),
  ]
  const user = author.caller.id
  const revisions = [
    ...(await movePlaces(
      trx,
      user,
      'lessongroups',
      requestedMovesOf(placesOf(groupIds, groups, null), storedOutline.groups),
    )),
    ...(await movePlaces(trx, user, 'lessons', requestedMovesOf(lessonPlaces, storedOutline.lessons))),
  ]
  if (revisions.length === 0) return storedOutline.outline
  const line = {
    action: 'record.update',
    user,
    resource: 'courses',
    address: author.address,
    requestId: author.requestId,
  } as const
  await trx.query(auditSql(line, sql`${entry}::int`, sql`${revisions}::int[]`))
  trx.changed('courses')
  return (await readOutline(trx, author.caller, document, locale, { videoChecks })).outline
}
