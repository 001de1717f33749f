/**
 * Registers the routes of certificates: PDFs for learners and staff, and the public check of a number
 * (e-learning §7).
 */
import { callerLanguage, fault, type Locale, localeOf, readCertificateNumber, type WrittenLocale } from '@dala/model'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Queries } from '../../../db/database.ts'
import { zoneSql } from '../../../db/calendar.ts'
import { sql, type Template } from '../../../db/sql.ts'
import { addressKey, assertCallerNotLocked, countFailure } from '../../../domain/accounts/throttle.ts'
import type { FeatureContext } from '../../../domain/feature.ts'
import { addRoutes } from '../../../http/contract-routes.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { enterFeature } from '../../../resources/feature-routes.ts'
import { createLimiter } from '../../../resources/limiter.ts'
import { languageOrder } from '../../../resources/read/sql-entry.ts'
import { idOf } from '../../../resources/routes.ts'
import { findDocument } from '../records.ts'
import { drawCertificate } from './pdf.ts'

const courses = resourceNamed('courses')

/** Maximum numbers of certificates that are drawn concurrently, and that wait. */
const drawing = { maxRunning: 2, maxWaiting: 20 }

interface FoundCertificate {
  number: string
  name: string
  /** Title of the course as it was last published. */
  course: string
  completedAt: string
  day: string
  isoDay: string
}

/** Reads the certificate that matches a condition on `c`, a completion of a course. */
async function readCertificate(
  runner: Pick<Queries, 'query'>,
  locale: Locale,
  condition: Template<unknown>,
): Promise<FoundCertificate | undefined> {
  const localTime = sql`c.completed_at at time zone ${zoneSql}`
  const [certificateRow] = await runner.query(sql<FoundCertificate>`
    select c.certificate as number, coalesce(nullif(trim(concat_ws(' ', u.name, u.surname)), ''), u.username) as name,
           (select t.title from published_courses_texts t where t.document_id = c.course_id
             order by ${languageOrder(sql`t.locale`, undefined, locale)} limit 1) as course,
           c.completed_at as "completedAt", to_char(${localTime}, 'DD.MM.YYYY') as day, to_char(${localTime}, 'YYYY-MM-DD') as "isoDay"
      from course_completions c join users u on u.id = c.user_id and u.removed_at is null where ${condition}`)
  return certificateRow
}

/** Registers the routes of certificates. */
export function registerCertificates(app: FastifyInstance, { database, callerOf, settings }: FeatureContext): void {
  const runLimited = createLimiter(drawing)

  /** Sends the certificate that matches a condition on `c` as a PDF; 404 where there is none. */
  const sendCertificate = async (reply: FastifyReply, locale: WrittenLocale, condition: Template<unknown>) => {
    const foundCertificate = await readCertificate(database, localeOf(locale), condition)
    if (!foundCertificate) throw fault('record.not-found')
    const { number, name, course, day, completedAt } = foundCertificate
    const address = `${settings.publicUrl}/certificate/${number}`
    const contents = { name, course, day, completedAt: new Date(completedAt), number, address }
    const pdf = await runLimited(() => drawCertificate(contents, locale))
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="certificate-${number}.pdf"`)
      .send(pdf)
  }

  addRoutes(app, async () => (await import('@dala/model/api/progress')).certificateRoutes, {
    'GET /api/courses/:id/certificate': async ({ request, reply, query }) => {
      const caller = await callerOf(request)
      const { locale = callerLanguage(caller) } = await query()
      const id = idOf(request)
      // A certificate stays valid when its course is withdrawn, so only the completion decides.
      const documents = sql`select document_id from courses_texts where id = ${id}
        union select document_id from published_courses_texts where id = ${id}`
      return sendCertificate(reply, locale, sql`c.user_id = ${caller.id} and c.course_id in (${documents})`)
    },
    'GET /api/courses/:id/learners/:learner/certificate': async ({ request, reply, query }) => {
      const enteredCall = await enterFeature({ callerOf }, courses, 'update', request)
      const document = await findDocument(database, courses, enteredCall, idOf(request))
      const { locale = callerLanguage(enteredCall.caller) } = await query()
      const learner = idOf(request, 'learner')
      return sendCertificate(reply, locale, sql`c.user_id = ${learner} and c.course_id = ${document}`)
    },
    'GET /api/certificates/:number': async ({ request, query }) => {
      const { number: typedNumber = '' } = request.params as { number?: string }
      const { locale = 'en' } = await query()
      const failureCounters = [{ key: `certificates-${addressKey(request.ip)}`, limit: settings.addressThrottle }]
      await assertCallerNotLocked(database, failureCounters)
      const number = readCertificateNumber(typedNumber)
      if (number === undefined) throw fault('record.not-found')
      const foundCertificate = await readCertificate(database, locale, sql`c.certificate = ${number}`)
      if (foundCertificate)
        return {
          data: { name: foundCertificate.name, course: foundCertificate.course, date: foundCertificate.isoDay },
          meta: {},
        }
      await countFailure(database, failureCounters, () => Promise.resolve())
      throw fault('record.not-found')
    },
  })
}
