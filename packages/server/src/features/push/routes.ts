/** Registers the routes that push notices to the browser of the caller's session. */
import { ECDH } from 'node:crypto'
import { fault, noticeKindsOf, unprocessableFault } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../../domain/feature.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { isSubscribed, subscribe, unsubscribe } from './browsers.ts'
import { pushSeal, readPushKeys } from './push-keys.ts'

type PushContext = Pick<FeatureContext, 'database' | 'callerOf' | 'settings'>

/** Tells whether messages can be encrypted for a key: only for a point of the curve. */
function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url', 'hex', 'uncompressed')
    return true
  } catch {
    return false
  }
}

/** Registers the routes; each session reads and changes its own browser only. */
export function registerPush(app: FastifyInstance, { database, callerOf, settings }: PushContext): void {
  const subscriptionSeal = pushSeal(settings)
  addRoutes(app, async () => (await import('@dala/model/api/push')).pushRoutes, {
    'GET /api/notices/push': async ({ request }) => {
      const caller = await callerOf(request)
      const isOffered = settings.push && noticeKindsOf(caller).length > 0
      return {
        data: {
          key: isOffered ? (await readPushKeys(database, subscriptionSeal)).publicKey : null,
          subscribed: await isSubscribed(database, caller.sessionId),
        },
      }
    },
    'POST /api/notices/push': async ({ request, body }) => {
      const caller = await callerOf(request)
      if (noticeKindsOf(caller).length === 0) throw fault('access.denied')
      if (!settings.push) throw fault('record.not-found')
      const { data } = await body()
      if (!isPoint(data.keys.p256dh))
        throw unprocessableFault([{ path: ['keys', 'p256dh'], code: 'validation.text', params: {} }])
      await database.transaction((trx) => subscribe(trx, caller, data))
      return { ok: true }
    },
    'DELETE /api/notices/push': async ({ request }) => {
      const caller = await callerOf(request)
      await unsubscribe(database, caller.sessionId)
      return { ok: true }
    },
  })
}
