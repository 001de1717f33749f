/** Sends letters about notices. */
import type { Database } from '../../db/database.ts'
import { NoticeDeliverer } from '../../domain/delivery/notice-deliverer.ts'
import {
  type NoticeDelivery,
  storeRefusedDelivery,
  storeSentDelivery,
} from '../../domain/delivery/notice-deliveries.ts'
import { noticeText } from '../../domain/delivery/notice-text.ts'
import { runFollowed } from '../../signals.ts'
import { type LetterSettings, writeLetter } from './letters.ts'
import { type MailTransport, openTransport, type PostSettings } from './mail-transport.ts'

/** Seconds after which an attempt counts as interrupted. */
const lease = 300

/** Log of letters about notices, which never contains an address or a text. */
export interface NoticeLetterLog {
  sent: (template: string, file: string | undefined) => void
  /** Receives the name of a letter that is sent again, because its earlier attempt has no known outcome. */
  onRepeated: (id: string) => void
  failed: (error: unknown) => void
}

/** Makes the deliverer of letters about notices. */
export function noticeLetters(
  database: Database,
  settings: PostSettings & LetterSettings,
  log: NoticeLetterLog,
  post: MailTransport = openTransport(settings),
): NoticeDeliverer {
  const send = async (letter: NoticeDelivery): Promise<boolean> => {
    const { id, recipient, name, locale, isDigest, notices } = letter
    const template = isDigest ? 'digest' : 'notice'
    const panel = `${settings.publicUrl}/app`
    const lines = notices.map(({ kind, params, address }) => {
      return { text: noticeText(locale, kind, params), link: address === null ? null : `${panel}${address}` }
    })
    if (letter.isRepeated) log.onRepeated(id)
    try {
      const link = `${panel}/profile/notifications`
      const texts = settings.letterTexts?.(locale)
      const written = writeLetter(locale, { template, payload: { name }, lines, link }, texts)
      const file = await runFollowed('letter', template, () => post(recipient, written, id))
      log.sent(template, file)
    } catch (error) {
      log.failed(error)
      await storeRefusedDelivery(database, letter)
      return false
    }
    await storeSentDelivery(database, letter)
    return true
  }
  return new NoticeDeliverer({ database, channel: 'letter', lease, send, failed: log.failed })
}
