/** Contents of letters with reports, and the record of their delivery. */
import type { WrittenLocale } from '@dala/model'
import type { Queries } from '../../db/database.ts'

/** A file of a letter. */
export interface Attachment {
  filename: string
  content: Buffer
  contentType: string
}

/** A letter with a report. */
export interface ReportLetter {
  /** Name of its reader; null for an address without an account. */
  name: string | null
  title: string
  /** Name of the person who has the report sent; null in letters to addresses without an account. */
  by: string | null
  /** Address of the report in the panel; null for an address without an account. */
  link: string | null
  /** The file of the report; null for one that is too large for a letter. */
  file: Attachment | null
}

/** Makes letters with reports when they are delivered, and records their delivery. */
export interface ReportLetters {
  /**
   * Makes a letter with the rights that its reader has now.
   *
   * @param sending - The id of its record.
   * @returns Undefined for a letter that must no longer be sent; its record then has the reason.
   */
  make: (sending: number, recipient: string, locale: WrittenLocale) => Promise<ReportLetter | undefined>
  storeSent: (queries: Pick<Queries, 'query'>, sending: number) => Promise<void>
  /** Records that the mail server refused a letter, which is tried again. */
  storeRefused: (sending: number, detail: string) => Promise<void>
}
