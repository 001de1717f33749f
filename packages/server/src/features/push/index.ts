/** Feature of notices that browsers show while the panel is closed. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import type { Settings } from '../../settings.ts'
import { pushSeal } from './push-keys.ts'
import { pushNotices } from './push-notices.ts'
import { openPushService } from './push-service.ts'
import { registerPush } from './routes.ts'

/** Returns where operators of push services reach this installation: its address, or the sender of its letters. */
export function contactOf({ publicUrl, mailFrom }: Pick<Settings, 'publicUrl' | 'mailFrom'>): string {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' && hostname !== 'localhost') return publicUrl
  return `mailto:${/<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom}`
}

export const push: Feature = {
  name: 'push',
  registerRoutes: registerPush,
  jobs({ database, settings, log, logFailure }) {
    if (!settings.push) return []
    const transport = openPushService({
      contact: contactOf(settings),
      failed: (error) => log.warn({ err: error }, 'push failed'),
    })
    const deliverer = pushNotices(database, pushSeal(settings), transport, {
      onRepeated: (id) => log.warn({ id }, 'notice pushed again after an interruption'),
      failed: logFailure('push of notices failed'),
    })
    deliverer.start(settings.databaseUrl === undefined)
    return [deliverer]
  },
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/push')).pushRoutes),
}
