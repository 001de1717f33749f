/**
 * Delivers pending letters of the database: after each commit that adds one, with retries until the server
 * accepts each.
 */
import { isWrittenLocale, type WrittenLocale } from '@dala/model'
import { zoneSql } from '../../db/calendar.ts'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import type { Letters } from '../../domain/delivery/mails.ts'
import type { ReportLetters } from '../../domain/delivery/report-letters.ts'
import { changeMinutes, confirmHours, makeConfirmationCode } from '../../domain/accounts/email-confirmations.ts'
import { makeResetCode, resetMinutes } from '../../domain/accounts/reset-codes.ts'
import { runFollowed } from '../../signals.ts'
import { type LetterParts, type LetterSettings, writeLetter } from './letters.ts'
import { openTransport, type MailTransport, type PostSettings } from './mail-transport.ts'

export interface MailSettings extends PostSettings, LetterSettings {
  /** Hours for which the link of an invitation is valid. */
  inviteHours: number
}

/** Log of deliveries, which never contains an address or a link. */
export interface MailLog {
  sent: (template: string, file: string | undefined) => void
  failed: (error: unknown) => void
}

/**
 * Delay in milliseconds between an answer and its letter, so that the time of an answer reveals nothing about
 * letters.
 */
const pauseMs = 200
const wakeInterval = 30_000

type WaitingLetter = {
  [T in keyof Letters]: { id: number; recipient: string; locale: string; template: T; payload: Letters[T] }
}[keyof Letters]

/** Returns the code of a failed attempt, like `EAUTH 535`; the text of a mail server may name the recipient. */
function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const codes = ['code', 'responseCode'].map((key) => Reflect.get(error, key) as unknown)
  const known = codes.filter((code) => typeof code === 'number' || (typeof code === 'string' && /^\w+$/.test(code)))
  return known.length > 0 ? known.join(' ').slice(0, 63) : 'unknown'
}

const languageOf = ({ locale }: WaitingLetter): WrittenLocale => (isWrittenLocale(locale) ? locale : 'en')

/** Delivers pending letters one after the other, each by one of all instances. */
export class Mailer {
  readonly #database: Database
  readonly #settings: MailSettings
  readonly #log: MailLog
  readonly #post: MailTransport
  readonly #reports: ReportLetters | undefined
  #timer: NodeJS.Timeout | undefined
  #waking: NodeJS.Timeout | undefined
  #endListening = () => {}
  #isStopped = false
  #running: Promise<unknown> = Promise.resolve()

  /**
   * Prepares the delivery of letters.
   *
   * @param post - Hands letters over; as the settings say when absent.
   * @param reports - Makes letters with reports.
   */
  constructor(
    database: Database,
    settings: MailSettings,
    log: MailLog,
    post: MailTransport = openTransport(settings),
    reports?: ReportLetters,
  ) {
    this.#database = database
    this.#settings = settings
    this.#log = log
    this.#post = post
    this.#reports = reports
  }

  /** Starts to deliver letters, beginning with letters of an earlier run. */
  start(): void {
    this.#isStopped = false
    this.#endListening = this.#database.onChange((changes) => {
      if (changes === 'all' || changes.has('mails')) this.#wake()
    })
    this.#timer = setInterval(() => this.#wake(), wakeInterval)
    this.#timer.unref()
    this.#wake()
  }

  /** Stops the delivery of letters and waits for the one that is being delivered. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endListening()
    clearInterval(this.#timer)
    clearTimeout(this.#waking)
    await this.#running
  }

  /**
   * Delivers all due letters one after the other.
   *
   * @returns The number of letters that were sent.
   */
  async deliver(): Promise<number> {
    let sentCount = 0
    for (let mail = await this.#claim(); mail; mail = this.#isStopped ? undefined : await this.#claim()) {
      try {
        const parts = await this.#partsOf(mail)
        if (parts) {
          const file = await runFollowed('letter', mail.template, () => this.#handOver(mail, parts))
          this.#log.sent(mail.template, file)
          sentCount += 1
        }
        await this.#storeDone(mail, parts !== undefined)
      } catch (error) {
        // The failed letter is due again later, after a delay that doubles each time.
        this.#log.failed(error)
        await this.#database.query(sql`update mails set failure = ${failureCode(error)}::text where id = ${mail.id}`)
      }
    }
    return sentCount
  }

  /** Hands a letter to the mail server; the record of a report's letter gets the reason of a refusal. */
  async #handOver(mail: WaitingLetter, parts: LetterParts): Promise<string | undefined> {
    const locale = languageOf(mail)
    const letter = writeLetter(locale, parts, this.#settings.letterTexts?.(locale))
    if (mail.template !== 'report') return this.#post(mail.recipient, letter)
    const { sending } = mail.payload
    try {
      // The letter has the same name in every attempt: servers recognise a repeated one by it.
      return await this.#post(mail.recipient, letter, `report-${sending}`)
    } catch (error) {
      await this.#reports?.storeRefused(sending, error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  /** Stores that a letter needs no further attempt. */
  async #storeDone(mail: WaitingLetter, isSent: boolean): Promise<void> {
    await this.#database.transaction(async (trx) => {
      await trx.query(sql`update mails set sent_at = now() where id = ${mail.id}`)
      if (isSent && mail.template === 'report') await this.#reports?.storeSent(trx, mail.payload.sending)
    })
  }

  #wake(): void {
    if (this.#waking !== undefined) return
    this.#waking = setTimeout(() => {
      this.#waking = undefined
      this.#running = this.#running.then(() => this.deliver()).catch(this.#log.failed)
    }, pauseMs)
    this.#waking.unref()
  }

  /**
   * Claims the next due letter by postponing its next attempt, so that other instances take others. Letters
   * that set a password go first. A letter that cannot be delivered for a day is dropped.
   */
  async #claim(): Promise<WaitingLetter | undefined> {
    const [mail] = await this.#database.query(sql<WaitingLetter>`
      update mails set attempts = attempts + 1,
             due_at = now() + make_interval(mins => least(power(2, least(attempts + 1, 9))::int, 360))
       where id = (select id from mails
                    where sent_at is null and due_at <= now() and created_at > now() - interval '1 day'
                    order by template <> 'reset', id limit 1 for update skip locked)
      returning id, recipient, locale, template, payload`)
    return mail
  }

  /**
   * Adds the values of a letter that are only known at delivery.
   *
   * @returns Undefined for a letter that must no longer be sent.
   */
  async #partsOf(mail: WaitingLetter): Promise<LetterParts | undefined> {
    const { publicUrl, inviteHours } = this.#settings
    switch (mail.template) {
      case 'reset': {
        const { user, name } = mail.payload
        const code = await this.#database.transaction((trx) => makeResetCode(trx, user, mail.recipient))
        if (code === undefined) return undefined
        const link = `${publicUrl}/user/reset-password?code=${code}&lang=${mail.locale}`
        return { template: 'reset', payload: { name }, link, minutes: resetMinutes }
      }
      case 'invite': {
        const { user, name } = mail.payload
        const minutes = inviteHours * 60
        const code = await this.#database.transaction((trx) => makeResetCode(trx, user, mail.recipient, minutes))
        if (code === undefined) return undefined
        const link = `${publicUrl}/user/reset-password?code=${code}&invited=1&lang=${mail.locale}`
        return { template: 'invite', payload: { name }, link, hours: inviteHours }
      }
      case 'confirmEmail': {
        const { user } = mail.payload
        const confirmation = await this.#database.transaction((trx) => makeConfirmationCode(trx, user, mail.recipient))
        if (confirmation === undefined) return undefined
        const link = `${publicUrl}/user/confirm-email?code=${confirmation.code}&lang=${mail.locale}`
        if (confirmation.isOwn) return { template: 'welcome', link, hours: confirmHours }
        return { template: 'confirmEmail', link, minutes: changeMinutes }
      }
      case 'postDecision': {
        const { entry } = mail.payload
        const link = `${publicUrl}/app/trading-post${entry === null ? '' : `/seen/${entry}`}`
        return { template: 'postDecision', payload: mail.payload, link }
      }
      case 'report': {
        if (!this.#reports) throw new Error('Nothing makes letters with reports')
        const letter = await this.#reports.make(mail.payload.sending, mail.recipient, languageOf(mail))
        return letter && { template: 'report', letter }
      }
      case 'test':
        return { template: 'test', payload: mail.payload }
      case 'passwordChanged':
      case 'emailChanged':
      case 'twoStepReset': {
        const { name, at } = mail.payload
        return { template: mail.template, payload: { name, time: await this.#momentIn(at) } }
      }
    }
  }

  /** Formats a time as `2026-03-01 15:00` in the zone of the installation, the same in every language. */
  async #momentIn(timestamp: string): Promise<string> {
    const [row] = await this.#database.query(sql<{ time: string }>`
      select to_char(${timestamp}::timestamptz at time zone ${zoneSql}, 'YYYY-MM-DD HH24:MI') as time`)
    return row?.time ?? timestamp
  }
}
