/** Sends letters about notices, one by one, each with the state of its notices at that time. */
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import {
  claimNoticeLetter,
  type NoticeLetter,
  releaseInterrupted,
  storeRefused,
  storeSent,
} from '../../domain/delivery/notice-deliveries.ts'
import { noticeText } from '../../domain/delivery/notice-text.ts'
import { writeLetter } from './letters.ts'
import { type MailTransport, openTransport, type PostSettings } from './mail-transport.ts'

const every = 15_000
/** Milliseconds between a commit with new notices and the delivery of their letters. */
const pause = 200
/** Seconds after which an attempt counts as interrupted: more than all timeouts of a mail server together. */
const lease = 300

/** Log of letters about notices, which never contains an address or a text. */
export interface NoticeLetterLog {
  sent: (template: string, file: string | undefined) => void
  /** Receives the name of a letter that is sent again, because its earlier attempt has no known outcome. */
  repeated: (id: string) => void
  failed: (error: unknown) => void
}

export class NoticeLetters {
  readonly #database: Database
  readonly #settings: PostSettings
  readonly #log: NoticeLetterLog
  readonly #post: MailTransport
  readonly #clock = new RepeatedWork(every)
  #endListening = () => {}
  #isStopped = false

  constructor(
    database: Database,
    settings: PostSettings,
    log: NoticeLetterLog,
    post: MailTransport = openTransport(settings),
  ) {
    this.#database = database
    this.#settings = settings
    this.#log = log
    this.#post = post
  }

  /**
   * Starts to deliver letters about notices, after each commit that adds some and every 15 seconds.
   *
   * @param isAlone - Whether no other instance uses the database: attempts of earlier runs are then over.
   */
  start(isAlone: boolean): void {
    let isReleased = !isAlone
    this.#endListening = this.#database.onChange((changes) => {
      if (changes === 'all' || changes.has('notice_deliveries')) this.#clock.soon(pause)
    })
    this.#clock.start(async () => {
      if (!isReleased) await releaseInterrupted(this.#database)
      isReleased = true
      await this.deliver()
    }, this.#log.failed)
  }

  /** Stops the deliveries and waits for the letter that is being sent. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endListening()
    await this.#clock.stop()
  }

  /**
   * Delivers all due letters about notices, one after the other.
   *
   * @returns The number of letters that were sent.
   */
  async deliver(): Promise<number> {
    let sent = 0
    while (!this.#isStopped) {
      const letter = await claimNoticeLetter(this.#database, lease)
      if (letter === undefined) break
      if (letter && (await this.#send(letter))) sent += 1
    }
    return sent
  }

  async #send(letter: NoticeLetter): Promise<boolean> {
    const { id, recipient, name, locale, isDigest, notices } = letter
    const template = isDigest ? 'digest' : 'notice'
    const panel = `${this.#settings.publicUrl}/app`
    const lines = notices.map(({ kind, params, address }) => {
      return { text: noticeText(locale, kind, params), link: address === null ? null : `${panel}${address}` }
    })
    if (letter.isRepeated) this.#log.repeated(id)
    try {
      const link = `${panel}/profile/notifications`
      const file = await this.#post(recipient, writeLetter(locale, { template, payload: { name }, lines, link }), id)
      this.#log.sent(template, file)
    } catch (error) {
      this.#log.failed(error)
      await storeRefused(this.#database, letter)
      return false
    }
    await storeSent(this.#database, letter)
    return true
  }
}
