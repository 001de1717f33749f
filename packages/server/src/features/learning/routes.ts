/**
 * Registers the routes of courses beyond their records: outline, publishing, previews, duplicates (e-learning
 * §5).
 */
import { fault, type OperationName, type Resource } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { readContent } from '../../domain/learning/course-content.ts'
import { visibleLessonsOf } from '../../domain/learning/readiness.ts'
import { discardDraft } from '../../domain/learning/discard.ts'
import { duplicateCourse, duplicateLesson } from '../../domain/learning/duplicate.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { type EnteredCall, enterFeature, type FeatureRoutes, presentEntry } from '../../resources/feature-routes.ts'
import { parseSingleQuery } from '../../resources/read/parse-query.ts'
import { isWrapped, readSingleRecord } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { removeEntry } from '../../resources/write/remove.ts'
import { isStale, updateEntry, withDeadlockRetry, type WriteContext } from '../../resources/write/write.ts'
import { findMissingFiles } from './checks/missing-files.ts'
import { readVideoLinks } from './checks/video-links.ts'
import { readOutline } from './outline.ts'
import { storeOrder } from './outline-order.ts'
import { checkCourse, type CheckParts, compareCourse, publishVersion } from './publishing.ts'
import { toLearnerCaller, findDocument } from './records.ts'

const courses = resourceNamed('courses')
const lessons = resourceNamed('lessons')
const lessongroups = resourceNamed('lessongroups')
/** Language of titles when the query names none (contract §8). */
const usualLocale = 'en'

/** The course or lesson that a route changes, locked, with the context of its writes. */
interface LockedPart {
  trx: Transaction
  storedEntry: StoredEntry
  enteredCall: EnteredCall
  context: WriteContext & { trx: Transaction }
}

/**
 * Registers the routes of courses beyond their records.
 *
 * @param app - The application.
 * @param routes - The database and the callers.
 * @param checks - The storage of files and the setting of checks of videos.
 */
export function registerLearning(app: FastifyInstance, routes: FeatureRoutes, checks: CheckParts): void {
  const { database } = routes
  const { videoChecks } = checks

  /** Finds the key of a course that the caller may use. */
  const courseOf = async (request: FastifyRequest, operation: OperationName) => {
    const enteredCall = await enterFeature(routes, courses, operation, request)
    return { caller: enteredCall.caller, document: await findDocument(database, courses, enteredCall, idOf(request)) }
  }

  /** Runs writes on a locked course or lesson in one transaction. */
  const writeProgress = async <T>(
    request: FastifyRequest,
    resource: Resource,
    runWork: (lockedPart: LockedPart) => Promise<T>,
  ): Promise<T> => {
    const enteredCall = await enterFeature(routes, resource, 'update', request)
    const { author, view } = enteredCall
    return withDeadlockRetry(database, async (trx) => {
      const storedEntry = await lockEntry(trx, resource, idOf(request), { author, view })
      if (!storedEntry) throw fault('record.not-found')
      return runWork({ trx, storedEntry, enteredCall, context: { database, trx, author, view: {}, isTrusted: true } })
    })
  }

  const assertCurrentVersion = ({ storedEntry }: LockedPart, version: number) => {
    if (isStale(version, storedEntry.version)) throw fault('record.stale')
  }

  /** Changes the state of a course, within the transitions that its author may make. */
  const setState = (request: FastifyRequest, state: 'draft' | 'archived', version: number) =>
    writeProgress(request, courses, async (lockedCourse) => {
      assertCurrentVersion(lockedCourse, version)
      const { trx, enteredCall, storedEntry } = lockedCourse
      const { author, view } = enteredCall
      await updateEntry({ database, trx, author, view }, courses, storedEntry.entry, { state })
      return presentEntry(trx, courses, storedEntry.entry, enteredCall)
    })

  /** Reads a record of a course's draft with the rights of a learner. */
  const preview = async (request: FastifyRequest, resource: Resource) => {
    const { caller, query } = await enterFeature(routes, resource, 'update', request)
    const reader = toLearnerCaller(caller)
    const readCourse = parseSingleQuery(
      query,
      resource,
      reader,
      authoriseCaller(resource, 'get', reader),
      idOf(request),
    )
    const entry = await readSingleRecord(database, {
      ...readCourse,
      shape: { ...readCourse.shape, published: 'preview' },
    })
    if (!entry || !isWrapped(entry)) throw fault('record.not-found')
    return { entry, reader }
  }

  addRoutes(app, async () => (await import('@dala/model/api/learning')).learningRoutes, {
    'GET /api/courses/:id/outline': async ({ request, query }) => {
      const { caller, document } = await courseOf(request, 'get')
      const { locale = usualLocale } = await query()
      return {
        data: (await readOutline(database, caller, document, locale, { videoChecks })).outline,
        meta: {},
      }
    },
    'PUT /api/courses/:id/outline': async ({ request, query, body }) =>
      writeProgress(request, courses, async ({ trx, storedEntry: { document, entry }, enteredCall: { author } }) => {
        const [{ locale = usualLocale }, { data: requestedOrder }] = [await query(), await body()]
        return {
          data: await storeOrder(trx, { document, entry, author, locale, videoChecks }, requestedOrder),
          meta: {},
        }
      }),
    'GET /api/courses/:id/check': async ({ request }) => {
      const { document } = await courseOf(request, 'update')
      return { data: await checkCourse(database, document, checks), meta: {} }
    },
    'GET /api/courses/:id/diff': async ({ request }) => {
      const { caller, document } = await courseOf(request, 'update')
      return { data: await compareCourse(database, caller, document), meta: {} }
    },
    'POST /api/courses/:id/publish': async ({ request, body }) => {
      const { document } = await courseOf(request, 'update')
      const { locales, version } = (await body()).data
      const drafts = visibleLessonsOf(await readContent(database, document, 'draft'))
      const missingFiles = await findMissingFiles(database, checks.files, drafts)
      return writeProgress(request, courses, async (lockedCourse) => {
        assertCurrentVersion(lockedCourse, version)
        const { trx, storedEntry, enteredCall, context } = lockedCourse
        await publishVersion(context, storedEntry, locales, missingFiles)
        return presentEntry(trx, courses, storedEntry.entry, enteredCall)
      })
    },
    'POST /api/courses/:id/unpublish': async ({ request, body }) =>
      setState(request, 'draft', (await body()).data.version),
    'POST /api/courses/:id/archive': async ({ request, body }) =>
      setState(request, 'archived', (await body()).data.version),
    'POST /api/courses/:id/discard': async ({ request, body }) =>
      writeProgress(request, courses, async (lockedCourse) => {
        assertCurrentVersion(lockedCourse, (await body()).data.version)
        const { trx, storedEntry, enteredCall, context } = lockedCourse
        await discardDraft(context, storedEntry.document)
        return presentEntry(trx, courses, storedEntry.entry, enteredCall)
      }),
    'GET /api/courses/:id/preview': async ({ request, query }) => {
      const { entry, reader } = await preview(request, courses)
      const { document } = await courseOf(request, 'update')
      const { locale = usualLocale } = await query()
      const { outline } = await readOutline(database, reader, document, locale, { preview: true })
      return { data: { course: entry, outline }, meta: {} }
    },
    'GET /api/lessons/:id/preview': async ({ request }) => {
      return { data: (await preview(request, lessons)).entry, meta: {} }
    },
    'GET /api/lessons/:id/video-links': async ({ request }) => {
      const enteredCall = await enterFeature(routes, lessons, 'update', request)
      const document = await findDocument(database, lessons, enteredCall, idOf(request))
      return { data: await readVideoLinks(database, document, videoChecks), meta: {} }
    },
    'POST /api/lessons/:id/duplicate': ({ request, body }) =>
      writeProgress(request, lessons, async ({ trx, storedEntry, enteredCall, context }) => {
        const { target_course, target_group, locales } = (await body()).data
        const course = await lockTargetOf(trx, enteredCall, courses, target_course, Number(storedEntry.values.course))
        const formerGroup = target_course === undefined ? storedEntry.values.lessongroup : null
        const group =
          target_group === null
            ? undefined
            : await lockTargetOf(trx, enteredCall, lessongroups, target_group, formerGroup)
        const records = await readContent(trx, Number(storedEntry.values.course), 'draft')
        const lesson = records.find(({ part, document }) => part === 'lessons' && document === storedEntry.document)
        if (!lesson || !course) throw fault('record.not-found')
        const id = await duplicateLesson(context, lesson, {
          course: course.entry,
          group: group?.entry ?? null,
          position: await nextPosition(trx, course.document, group?.document ?? null),
          languages: locales,
        })
        return presentEntry(trx, lessons, id, enteredCall)
      }),
    'DELETE /api/lessongroups/:id/with-lessons': async ({ request }) => {
      await enterFeature(routes, lessons, 'remove', request)
      const { author, view } = await enterFeature(routes, lessongroups, 'remove', request)
      return withDeadlockRetry(database, async (trx) => {
        const id = idOf(request)
        const storedEntry = await lockEntry(trx, lessongroups, id, { author, view })
        if (!storedEntry) throw fault('record.not-found')
        const count = await countLessons(trx, storedEntry.document)
        await removeEntry({ database, trx, author, view }, lessongroups, id, true, 'lessons')
        return { data: { id, lessons: count }, meta: {} }
      })
    },
    'POST /api/courses/:id/duplicate': ({ request, body }) =>
      writeProgress(request, courses, async ({ trx, storedEntry, enteredCall, context }) => {
        const id = await duplicateCourse(context, storedEntry.document, (await body()).data.locales)
        return presentEntry(trx, courses, id, enteredCall)
      }),
  })
}

/** Locks the course or group that receives a duplicate: the requested one, else that of the original. */
async function lockTargetOf(
  trx: Transaction,
  { author, view }: EnteredCall,
  resource: Resource,
  id: number | null | undefined,
  formerValue: unknown,
): Promise<StoredEntry | undefined> {
  if (id === null || id === undefined)
    return typeof formerValue === 'number'
      ? lockEntry(trx, resource, formerValue, { author, view: {} }, 'document')
      : undefined
  const foundEntry = await lockEntry(trx, resource, id, { author, view })
  if (!foundEntry) throw fault('record.not-found')
  return foundEntry
}

async function countLessons(trx: Transaction, group: number): Promise<number> {
  const [row] = await trx.query(sql<{ count: number }>`
    select count(*)::int as count from lessons where lessongroup_id = ${group}`)
  return row?.count ?? 0
}

/** Returns the position after the last lesson of a group, or of the lessons without a group. */
async function nextPosition(trx: Transaction, course: number, group: number | null): Promise<number> {
  const [row] = await trx.query(sql<{ position: number }>`
    select coalesce(max(position), 0) + 1 as position from lessons
     where course_id = ${course} and lessongroup_id is not distinct from ${group}::int`)
  return row?.position ?? 1
}
