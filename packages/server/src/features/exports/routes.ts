/** What a list shows, as a file: its columns, filter, order and language (checklist §5). */
import { fault, resourceTitle } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { writeAudit } from '../../resources/audit.ts'
import { authorise } from '../../resources/authorise.ts'
import { createBound } from '../../resources/bounded.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { type Format, readOrder } from './body.ts'
import { columnsOf } from './columns.ts'
import { discard, readOnce, writeFileOf } from './file.ts'
import { type ExportSource, idsOf, rowsOf, seeOneMoment } from './rows.ts'
import { wordsOf } from './words.ts'
import { dayIn } from './zone.ts'

const mediaTypes: Readonly<Record<Format, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** Files of one person at once (checklist §3), and of everybody. */
const ofOne = 2
const ofAll = { running: 2, waiting: 10 }

/** Registers the route. */
export function registerExports(app: FastifyInstance, { database, callerOf }: FeatureRoutes): void {
  const bounded = createBound(ofAll)
  const busy = new Map<number, number>()

  app.post('/api/export', async (request, reply) => {
    const caller = await callerOf(request)
    const order = readOrder(request.body, caller)
    const { resource, format, language, timeZone, ids } = order
    const view = authorise(resource, 'list', caller)
    const reader = { caller, language }
    const columns = columnsOf(resource, view, order.columns, reader)
    const source: ExportSource = { resource, reader, view, query: order.query, ids, columns, timeZone }
    const day = await dayIn(database, timeZone)

    const running = busy.get(caller.id) ?? 0
    if (running >= ofOne) throw fault('server.busy', { retryAfter: 5 })
    busy.set(caller.id, running + 1)
    let made: string | undefined
    try {
      const { path } = await bounded(() =>
        database.transaction(async (trx) => {
          await seeOneMoment(trx)
          const found = await idsOf(trx, source)
          const title = wordsOf(language, [resourceTitle(resource)])
          const file = await writeFileOf({ format, title, columns, rows: rowsOf(trx, source, found) })
          made = file.path
          await writeAudit(trx, {
            action: 'export',
            user: caller.id,
            address: request.ip,
            requestId: request.id,
            resource: resource.name,
            details: { count: String(file.count), format },
          })
          return file
        }),
      )
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="${resource.wire}-${day}.${format}"`)
        .send(readOnce(path))
    } catch (error) {
      if (made !== undefined) await discard(made)
      throw error
    } finally {
      const left = (busy.get(caller.id) ?? 1) - 1
      if (left > 0) busy.set(caller.id, left)
      else busy.delete(caller.id)
    }
  })
}
