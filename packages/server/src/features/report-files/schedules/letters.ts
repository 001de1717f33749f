/** Makes the letters of schedules when they are delivered: each with the rights that its reader has then. */
import {
  type Caller,
  Fault,
  maxAttachedBytes,
  type ReportFormat,
  reportParts,
  type SavedReport,
  type SendingReason,
  type WrittenLocale,
} from '@dala/model'
import type { Database } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'
import { userNameSql } from '../../../domain/accounts/user-name.ts'
import type { ReportLetter, ReportLetters } from '../../../domain/delivery/report-letters.ts'
import { readCallerNow } from '../../../resources/caller-now.ts'
import type { ReportDocument } from '../document.ts'
import { assertReadableReport, readReport, type SavedReportReaders, type StoredQuery } from '../read-report.ts'
import { readSharedReport } from '../shares/read-shared.ts'
import { mediaTypes, writeDocument } from '../write-document.ts'
import { assertMaySend, assertTotals } from './recipients.ts'
import { localNow } from './store.ts'

/** Maximum number of characters of a mail server's answer that a record stores. */
const maxDetail = 200

/** A letter of a schedule with its reader as they are now. */
interface Sending {
  makerId: number
  by: string
  savedId: number
  users: number[]
  addresses: string[]
  format: ReportFormat
  userId: number | null
  /** Name of the reader; null for an address, and for an account without a confirmed address. */
  name: string | null
}

/** A letter of a schedule that must not be sent. */
class LeftOut extends Error {
  readonly reason: SendingReason
  constructor(reason: SendingReason) {
    super(`The letter is left out: ${reason}`)
    this.reason = reason
  }
}

/** Runs a check or a reader; its refusal leaves the letter out for a reason. */
async function orLeaveOut<T>(reason: SendingReason, runCheck: () => Promise<T> | T): Promise<T> {
  try {
    return await runCheck()
  } catch (error) {
    throw error instanceof Fault ? new LeftOut(reason) : error
  }
}

/**
 * Returns the address of a report with the settings of a saved one in the panel, which its reader may open also
 * when it is not shared with them.
 */
export function panelAddress({ key, query }: Pick<SavedReport, 'key' | 'query'>): string {
  const { filters = {}, ...queryFields } = query
  const addressFields = [
    ...Object.entries(queryFields),
    ...Object.entries(filters).map(([name, id]) => [`f.${name}`, id] as const),
  ]
  const search = new URLSearchParams(
    addressFields.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
  return `/app/statistics/${key}${search === '' ? '' : `?${search}`}`
}

const queryOf = ({ query }: SavedReport): StoredQuery => ({ ...query, filters: query.filters ?? {} })

/**
 * Makes the letters of schedules for the mailer.
 *
 * @param publicUrl - Base address of links in letters.
 */
export function scheduledLetters(database: Database, readers: SavedReportReaders, publicUrl: string): ReportLetters {
  const readSending = async (sending: number, recipient: string): Promise<Sending | undefined> => {
    const [sendingRow] = await database.query(sql<Sending>`
      select s.user_id as "makerId", (select ${userNameSql} from users u where u.id = s.user_id) as by, s.saved_id as "savedId",
             s.users, s.addresses, s.format, l.user_id as "userId",
             (select coalesce(nullif(u.name, ''), u.username) from users u
               where u.id = l.user_id and u.confirmed and u.active and u.email = ${recipient}::text) as name
        from report_sendings l join report_schedules s on s.id = l.schedule_id where l.id = ${sending}::int and s.deleted_at is null`)
    return sendingRow
  }

  /** The maker of a schedule and its saved report, with the rights that the maker has now. */
  const readMaker = async ({ makerId, savedId, users, addresses }: Sending) => {
    const maker = await readCallerNow(database, makerId)
    if (!maker) throw new LeftOut('right')
    const savedReport = await orLeaveOut('report', () => readers.findSavedReport(database, maker, savedId))
    await orLeaveOut('right', () => {
      assertMaySend(maker, { users, addresses })
      assertTotals(savedReport, { addresses })
    })
    return { maker, saved: savedReport }
  }

  const documentForReader = async (
    reader: Caller,
    savedReport: SavedReport,
    locale: WrittenLocale,
  ): Promise<ReportDocument> => {
    await orLeaveOut('right', () => assertReadableReport(database, reader, savedReport.key))
    return orLeaveOut('report', () =>
      readReport(database, readers, reader, {
        key: savedReport.key,
        query: queryOf(savedReport),
        locale,
        parts: reportParts,
      }),
    )
  }

  const documentOfTotals = async (maker: Caller, savedReport: SavedReport, locale: WrittenLocale) => {
    const share = { userId: maker.id, key: savedReport.key, query: queryOf(savedReport), frozen: null }
    const document = await orLeaveOut('report', () => readSharedReport(database, readers, share, locale))
    if (!document) throw new LeftOut('right')
    return document
  }

  const makeLetter = async (sending: Sending, locale: WrittenLocale): Promise<ReportLetter> => {
    const { userId, name, by, format } = sending
    const { maker, saved } = await readMaker(sending)
    const reader = userId === null ? undefined : await readCallerNow(database, userId)
    if (userId !== null && (!reader || name === null)) throw new LeftOut('reader')
    const document = reader
      ? await documentForReader(reader, saved, locale)
      : await documentOfTotals(maker, saved, locale)
    const content = await writeDocument(document, format)
    const isTooLarge = content.length > maxAttachedBytes
    if (isTooLarge && !reader) throw new LeftOut('size')
    const { day } = await localNow(database)
    return {
      name,
      title: saved.title,
      by: reader ? by : null,
      link: reader ? `${publicUrl}${panelAddress(saved)}` : null,
      file: isTooLarge ? null : { filename: `${saved.key}-${day}.${format}`, content, contentType: mediaTypes[format] },
    }
  }

  return {
    make: async (id, recipient, locale) => {
      const sending = await readSending(id, recipient)
      if (!sending) return undefined
      try {
        return await makeLetter(sending, locale)
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error
        await database.query(sql`
          update report_sendings set state = 'skipped', reason = ${error.reason}, detail = null where id = ${id}`)
        return undefined
      }
    },
    storeSent: async (queries, id) => {
      await queries.query(sql`
        update report_sendings set state = 'sent', sent_at = now(), reason = null, detail = null where id = ${id}`)
    },
    storeRefused: async (id, detail) => {
      await database.query(sql`
        update report_sendings set reason = 'mail', detail = ${detail.slice(0, maxDetail)} where id = ${id} and state = 'waiting'`)
    },
  }
}
