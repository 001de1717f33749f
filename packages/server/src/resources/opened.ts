/** Notices of records that a caller has opened one by one, for features that count them. */
import type { Caller } from '@dala/model'
import type { Database } from '../db/database.ts'

/** A record that was opened; `id` is that of the request. */
export interface OpenedRecord {
  resource: string
  id: number
  caller: Pick<Caller, 'role' | 'isConsultant'>
}

declare module '../db/database.ts' {
  interface SubjectTypes {
    opened: (record: OpenedRecord) => void
  }
}

/** Emits that a record was opened; its listeners only note it, and never throw. */
export function emitOpened(database: Database, record: OpenedRecord): void {
  for (const listener of database.listenersOf('opened')) listener(record)
}
