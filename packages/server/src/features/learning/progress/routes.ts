/**
 * Registers the routes of progress: of learners themselves, and of a course for its staff (e-learning §5).
 */
import { fault, type Locale, localeOf, type OperationName, type Resource } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../../db/sql.ts'
import type { PartName } from '../../../domain/learning/course-content.ts'
import { addRoutes } from '../../../http/contract-routes.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { authoriseCaller } from '../../../resources/authorise.ts'
import { enterFeature, type FeatureRoutes } from '../../../resources/feature-routes.ts'
import type { SendTable } from '../../../resources/further-rows.ts'
import { readPagination } from '../../../resources/read/parse-query.ts'
import { presentPagination } from '../../../resources/read/read.ts'
import { runScopedQuery } from '../../../resources/read/scoped.ts'
import { idOf } from '../../../resources/routes.ts'
import { withDeadlockRetry } from '../../../resources/write/write.ts'
import { toLearnerCaller, findDocument } from '../records.ts'
import { learnersSheet, readLearners } from './learners.ts'
import { readOwnProgress } from './own.ts'
import { readStatistics } from './statistics.ts'
import { storeProgress, type UsedLesson } from './store.ts'
import { readUsage } from './usage.ts'

const courses = resourceNamed('courses')
const lessons = resourceNamed('lessons')

/** Language of names and titles when the query names none (contract §8). */
const usualLocale: Locale = 'en'

/** Registers the routes of progress in courses. */
export function registerProgress(app: FastifyInstance, routes: FeatureRoutes, sendTable: SendTable): void {
  const { database } = routes

  /** Finds a record of a course whose draft the caller may change. */
  const staffDocument = async (request: FastifyRequest, resource: Resource) => {
    const enteredCall = await enterFeature(routes, resource, 'update', request)
    return {
      caller: enteredCall.caller,
      query: enteredCall.query,
      document: await findDocument(database, resource, enteredCall, idOf(request)),
    }
  }

  /** Authorises a caller as a learner, who reads what is published, whatever else the caller may read. */
  const enterAsLearner = async (request: FastifyRequest, resource: Resource, operation: OperationName) => {
    const { caller } = await enterFeature(routes, resource, operation, request)
    const reader = toLearnerCaller(caller)
    return { caller: reader, view: authoriseCaller(resource, operation, reader) }
  }

  const usedLesson = async (request: FastifyRequest): Promise<{ user: number; used: UsedLesson }> => {
    const { caller, view } = await enterAsLearner(request, lessons, 'get')
    const id = idOf(request)
    const query = { filters: { id: { $eq: String(id) } } }
    const [lessonRow] = await runScopedQuery(
      database,
      { resource: lessons, caller, view, query },
      ({ from, where, document }) => {
        return sql<UsedLesson>`
        select own.document_id as lesson, course.id as course, own.locale, course.in_order as "inOrder"
          from ${from} join lessons_texts own on own.document_id = ${sql.ref(`${document}.id`)} and own.id = ${id}
          join courses course on course.id = ${sql.ref(`${document}.course_id`)} where ${where} limit 1`
      },
    )
    if (!lessonRow) throw fault('record.not-found')
    return { user: caller.id, used: lessonRow }
  }

  const usageOf = async (request: FastifyRequest, partName: PartName) => {
    const { document } = await staffDocument(request, resourceNamed(partName))
    return { data: await readUsage(database, partName, document), meta: {} }
  }

  addRoutes(app, async () => (await import('@dala/model/api/progress')).progressRoutes, {
    'POST /api/lessons/:id/progress': async ({ request, body }) => {
      const { user, used } = await usedLesson(request)
      const { data } = await body()
      const answer = await withDeadlockRetry(database, (trx) => storeProgress(trx, user, used, data))
      if (answer.ignored > 0)
        request.log.info({ user, lesson: idOf(request), ignored: answer.ignored }, 'impossible progress was ignored')
      return { data: answer, meta: {} }
    },
    'GET /api/courses/:id/progress': async ({ request, query }) => {
      const reader = await enterAsLearner(request, courses, 'get')
      const document = await findDocument(database, courses, reader, idOf(request))
      const { locale = usualLocale } = await query()
      return { data: await readOwnProgress(database, document, reader.caller.id, locale), meta: {} }
    },
    'GET /api/courses/:id/learners': async ({ request, reply, query }) => {
      const { caller, document, query: requestQuery } = await staffDocument(request, courses)
      const { locale: language = usualLocale, sort = 'last_activity:desc', format } = await query()
      const search = typeof requestQuery._q === 'string' ? requestQuery._q.trim() : ''
      const learners = { course: document, locale: localeOf(language), search, sort }
      if (format === 'xlsx')
        return sendTable(database, request, reply, caller, {
          name: 'learners',
          resource: courses,
          language,
          rows: learnersSheet(learners),
        })
      const pagination = readPagination(requestQuery.pagination)
      const { form, page, pageSize, start, limit, withCount } = pagination
      const rows = form === 'page' ? { offset: (page - 1) * pageSize, limit: pageSize } : { offset: start, limit }
      const { rows: data, total } = await readLearners(database, learners, rows)
      return { data, meta: { pagination: presentPagination(pagination, withCount ? total : undefined) } }
    },
    'GET /api/courses/:id/statistics': async ({ request, query }) => {
      const { caller, document } = await staffDocument(request, courses)
      const { locale, region, titles: language = caller.language } = await query()
      const data = await readStatistics(database, { course: document, language, locale, region })
      return { data, meta: {} }
    },
    'GET /api/lessons/:id/usage': ({ request }) => usageOf(request, 'lessons'),
    'GET /api/lessongroups/:id/usage': ({ request }) => usageOf(request, 'lessongroups'),
    'GET /api/courses/:id/usage': ({ request }) => usageOf(request, 'courses'),
  })
}
