/** Registers the routes of the System page, which are for owners only. */
import { fault } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { ownerOf } from '../../domain/accounts/owner-of.ts'
import type { FeatureContext } from '../../domain/feature.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { followDiskLatency } from './disk-latency.ts'
import { queueTestLetter } from './test-letter.ts'

/** Registers the routes of the state of the installation and of its diagnosis. */
export function registerSystem(app: FastifyInstance, { database, settings, callerOf, log }: FeatureContext): void {
  const diskLatency = followDiskLatency()
  app.addHook('onClose', () => diskLatency.close())

  const loadReader = async () => {
    const [{ systemReader }, { reuseSizes }] = await Promise.all([
      import('./read-state.ts'),
      import('./folder-size.ts'),
    ])
    return systemReader({ database, settings, log, sizeOf: reuseSizes(), readDiskLatency: diskLatency.read })
  }
  let reader: ReturnType<typeof loadReader> | undefined
  /** Reads the state; the code for it is loaded with the first request, because a start does not need it. */
  const readState = async () => (await (reader ??= loadReader()))()

  const loadChanges = async () => (await import('./changelog.ts')).changesReader()
  let changes: ReturnType<typeof loadChanges> | undefined

  addRoutes(app, async () => (await import('@dala/model/api/system')).systemRoutes, {
    'GET /api/system': async ({ request, reply }) => {
      await ownerOf(request, callerOf)
      reply.header('cache-control', 'no-store')
      return { data: await readState() }
    },
    'GET /api/system/changes': async ({ request }) => {
      await ownerOf(request, callerOf)
      return { data: await (await (changes ??= loadChanges()))() }
    },
    'POST /api/system/test-letter': async ({ request }) => {
      const caller = await ownerOf(request, callerOf)
      if (settings.smtpUrl === undefined) throw fault('mail.no-server')
      await database.transaction(async (trx) => {
        await queueTestLetter(trx, caller)
        await writeAudit(trx, { action: 'letter.test', user: caller.id, address: request.ip, requestId: request.id })
      })
      return { data: { at: new Date().toISOString() } }
    },
    'GET /api/system/diagnosis': async ({ request, reply }) => {
      const caller = await ownerOf(request, callerOf)
      const state = await readState()
      await database.transaction((trx) =>
        writeAudit(trx, {
          action: 'export',
          user: caller.id,
          address: request.ip,
          requestId: request.id,
          details: { route: '/api/system/diagnosis', format: 'json' },
        }),
      )
      reply.header('cache-control', 'no-store')
      const { diagnose } = await import('./diagnosis.ts')
      return { data: diagnose(state, settings) }
    },
  })
}
