/** Pushes notices to the browsers of their readers. */
import { isChosenKind, type WrittenLocale } from '@dala/model'
import type { Database } from '../../db/database.ts'
import type { Seal } from '../../domain/accounts/seal.ts'
import { NoticeDeliverer } from '../../domain/delivery/notice-deliverer.ts'
import {
  type NoticeDelivery,
  storeDroppedDelivery,
  storeRefusedDelivery,
  storeSentDelivery,
} from '../../domain/delivery/notice-deliveries.ts'
import { labelsOf } from '../../resources/labels.ts'
import { browsersOf, storeOutcome } from './browsers.ts'
import { readPushKeys } from './push-keys.ts'
import type { PushMessage, PushTransport } from './push-service.ts'

/** Seconds after which an attempt counts as interrupted. */
const lease = 60

interface PushLog {
  /** Receives the name of a delivery that is repeated, because an earlier attempt has no known outcome. */
  onRepeated: (id: string) => void
  failed: (error: unknown) => void
}

/** The name of a kind of notices, without anything of the notice itself: a lock screen shows it to anybody. */
function titleOf(locale: WrittenLocale, kind: string): string {
  const labels = labelsOf(locale)
  return isChosenKind(kind) ? labels[`account.notices.kinds.${kind}`] : labels['inbox.other']
}

/** The message of a notice as the service worker of the panel reads it. */
function messageOf({ batch, locale, notices }: NoticeDelivery): PushMessage {
  const [notice] = notices
  const address = `/app${notice?.address ?? ''}`
  // A notification replaces one with the same tag, also one that an open tab has shown about the same page.
  const tag = notice?.address === null ? `notice-${batch}` : address
  const text = JSON.stringify({ title: titleOf(locale, notice?.kind ?? ''), address, tag, lang: locale })
  return { text, topic: `notice-${batch}` }
}

/** Makes the deliverer of notices to browsers. */
export function pushNotices(database: Database, seal: Seal, transport: PushTransport, log: PushLog): NoticeDeliverer {
  const send = async (delivery: NoticeDelivery): Promise<boolean> => {
    if (delivery.isRepeated) log.onRepeated(delivery.id)
    const keys = await readPushKeys(database, seal)
    const browsers = await browsersOf(database, delivery.user, delivery.reached)
    const message = messageOf(delivery)
    const outcomes = await Promise.all(
      browsers.map(async (browser) => {
        const outcome = await transport(keys, browser, message)
        await storeOutcome(database, delivery.batch, browser, outcome)
        return outcome
      }),
    )
    if (outcomes.includes('failed')) {
      await storeRefusedDelivery(database, delivery)
      return false
    }
    const isSent = outcomes.includes('accepted') || delivery.reached.length > 0
    await (isSent ? storeSentDelivery(database, delivery) : storeDroppedDelivery(database, delivery, 'no-browser'))
    return isSent
  }
  return new NoticeDeliverer({ database, channel: 'push', lease, send, failed: log.failed })
}
