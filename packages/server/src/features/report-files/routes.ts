/** Registers the routes of the files of reports (statistics §6). */
import { callerLanguage, fault, reportParts } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../db/sql.ts'
import { countFailure } from '../../domain/accounts/throttle.ts'
import type { FeatureContext } from '../../domain/feature.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { enterFeature } from '../../resources/feature-routes.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { idOf } from '../../resources/routes.ts'
import type { FileMaker } from './maker.ts'
import { assertReadableReport } from './read-report.ts'
import { contentOf, insertFile, lostFiles, ownFile, presentFile } from './store.ts'
import { mediaTypes } from './write-document.ts'

const statistics = resourceNamed('statistics')
/** Maximum number of files of reports that one person makes in an hour. */
const hourlyLimit = { failures: 300, seconds: 3_600 }

/** Registers the routes, and the work that continues files whose process has ended. */
export function registerReportFiles(app: FastifyInstance, context: FeatureContext, maker: FileMaker): void {
  const { database, queue } = context
  let isStart = database.kind === 'embedded'
  queue.register('report-files', {
    findUnfinished: () => {
      const lostFilesTask = lostFiles(database, isStart)
      isStart = false
      return lostFilesTask
    },
    run: (id) => maker.resume(id),
  })

  addRoutes(app, async () => (await import('@dala/model/api/report-files')).reportFileRoutes, {
    'POST /api/statistics/exports': async ({ request, reply, body }) => {
      const { caller } = await enterFeature(context, statistics, 'get', request)
      const { data } = await body()
      const { key, format } = data
      const [locale, parts] = [data.locale ?? callerLanguage(caller), data.parts ?? reportParts]
      await assertReadableReport(database, caller, key)
      await countFailure(database, [{ key: `report-file:${caller.id}`, limit: hourlyLimit }], () => Promise.resolve())
      const id = await database.transaction(async (trx) => {
        const [today] = await trx.query(sql<{ day: string }>`
          select to_char(now() at time zone ${database.calendar.zone}::text, 'YYYY-MM-DD') as day`)
        const name = `${key}-${today?.day}.${format}`
        const order = { key, query: data.query ?? {}, format, locale, parts }
        const insertedFile = await insertFile(trx, caller, order, name)
        await writeAudit(trx, {
          action: 'report.export',
          user: caller.id,
          address: request.ip,
          requestId: request.id,
          resource: statistics.name,
          details: { key, format },
        })
        return insertedFile
      })
      await maker.begin(id)
      reply.header('cache-control', 'private, no-store')
      return { data: presentFile(await ownFile(database, caller, id)), meta: {} }
    },
    'GET /api/statistics/exports/:id': async ({ request, reply }) => {
      const { caller } = await enterFeature(context, statistics, 'get', request)
      const file = await ownFile(database, caller, idOf(request))
      await assertReadableReport(database, caller, file.key)
      reply.header('cache-control', 'private, no-store')
      return { data: presentFile(file), meta: {} }
    },
    'GET /api/statistics/exports/:id/file': async ({ request, reply }) => {
      const { caller } = await enterFeature(context, statistics, 'get', request)
      const file = await ownFile(database, caller, idOf(request))
      await assertReadableReport(database, caller, file.key)
      const content = await contentOf(database, file.id)
      if (!content) throw fault('record.not-found')
      return reply
        .type(mediaTypes[file.format])
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .send(content)
    },
  })
}
