/** Stores the files of reports in the database for a day, where every instance and every backup has them. */
import {
  type Caller,
  fault,
  maxReportFileBytes,
  type ReportFile,
  reportFileHours,
  type ReportFileState,
  type ReportFormat,
  type ReportKey,
  type ReportPart,
  type WrittenLocale,
} from '@dala/model'
import type { Queries, Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { ReportOrder, StoredQuery } from './read-report.ts'

export interface StoredFile {
  id: number
  userId: number
  key: ReportKey
  query: StoredQuery
  format: ReportFormat
  locale: WrittenLocale
  parts: ReportPart[]
  state: ReportFileState
  progress: number
  attempts: number
  name: string
  createdAt: string
  expiresAt: string
}

/** A requested file of a report. */
export interface FileOrder extends ReportOrder {
  format: ReportFormat
}

/** Maximum numbers of a person's files of reports that are being made, and that are stored. */
const [maxRunning, maxStored] = [2, 20]
/** Seconds after which a run is taken for one whose process has ended. */
const lostAfter = 120
const maxAttempts = 3

const columns = sql`f.id, f.user_id as "userId", f.key, f.query, f.format, f.locale, f.parts, f.state, f.progress, f.attempts,
  f.name, f.created_at as "createdAt", f.expires_at as "expiresAt"`

/**
 * Stores a requested file of a report, with its run. The oldest files of the person make room for it.
 *
 * @throws 503 while the person has too many files that are being made.
 */
export async function insertFile(trx: Transaction, caller: Caller, order: FileOrder, name: string): Promise<number> {
  const { key, query, format, locale, parts } = order
  // Requests of one person are counted one after the other.
  await trx.query(sql`select pg_advisory_xact_lock(hashtext('report_files'), ${caller.id}::int)`)
  const [runningCount] = await trx.query(sql<{ n: number }>`
    select count(*)::int as n from report_files
     where user_id = ${caller.id} and state = 'running' and claimed_at > now() - make_interval(secs => ${lostAfter}::int)`)
  if ((runningCount?.n ?? 0) >= maxRunning) throw fault('server.busy', { retryAfter: 5 })
  await trx.query(sql`
    delete from report_files where id in (
      select id from report_files where user_id = ${caller.id} and state <> 'running'
       order by id desc offset ${maxStored - 1}::int)`)
  const [insertedFile] = await trx.query(sql<{ id: number }>`
    insert into report_files (user_id, key, query, format, locale, parts, name, expires_at)
    values (${caller.id}, ${key}, ${JSON.stringify(query)}::jsonb, ${format}, ${locale}, ${parts}::text[], ${name},
            now() + make_interval(hours => ${reportFileHours}::int)) returning id`)
  return insertedFile?.id ?? 0
}

/** Finds a stored file of a report that is not expired. */
export async function findFile(queries: Pick<Queries, 'query'>, id: number): Promise<StoredFile | undefined> {
  const [fileRow] = await queries.query(
    sql<StoredFile>`select ${columns} from report_files f where f.id = ${id}::int and f.expires_at > now()`,
  )
  return fileRow
}

/**
 * Finds a person's own file of a report.
 *
 * @throws 404 for one that does not exist, is expired, or is of another person.
 */
export async function ownFile(queries: Pick<Queries, 'query'>, caller: Caller, id: number): Promise<StoredFile> {
  const storedFile = await findFile(queries, id)
  if (storedFile?.userId !== caller.id) throw fault('record.not-found')
  return storedFile
}

/** Returns the bytes of a file of a report; undefined before it is done. */
export async function contentOf(queries: Pick<Queries, 'query'>, id: number): Promise<Buffer | undefined> {
  const [contentRow] = await queries.query(sql<{ content: string }>`
    select encode(content, 'base64') as content from report_files
     where id = ${id}::int and state = 'done' and expires_at > now()`)
  return contentRow && Buffer.from(contentRow.content, 'base64')
}

/** Stores how much of a report's file has been done, in per cent. */
export async function storeProgress(queries: Pick<Queries, 'query'>, id: number, progress: number): Promise<void> {
  await queries.query(sql`update report_files set progress = ${progress}::int where id = ${id} and state = 'running'`)
}

/** Stores the bytes of a report's file; a file that is too large has failed. */
export async function storeContent(queries: Pick<Queries, 'query'>, id: number, content: Buffer): Promise<void> {
  if (content.length > maxReportFileBytes) return storeFailure(queries, id)
  await queries.query(sql`
    update report_files set state = 'done', progress = 100, content = decode(${content.toString('base64')}::text, 'base64')
     where id = ${id} and state = 'running'`)
}

/** Marks a report's file as failed. */
export async function storeFailure(queries: Pick<Queries, 'query'>, id: number): Promise<void> {
  await queries.query(sql`update report_files set state = 'failed' where id = ${id} and state = 'running'`)
}

/** Deletes a report's file whose request was refused. */
export async function deleteFile(queries: Pick<Queries, 'query'>, id: number): Promise<void> {
  await queries.query(sql`delete from report_files where id = ${id}`)
}

/**
 * Lists the files of reports whose run has ended without a result.
 *
 * @param isStart - Whether all runs of the database have ended because the only process starts.
 */
export async function lostFiles(queries: Pick<Queries, 'query'>, isStart: boolean): Promise<number[]> {
  const rows = await queries.query(sql<{ id: number }>`
    select id from report_files where state = 'running'
     and (${isStart}::boolean or claimed_at < now() - make_interval(secs => ${lostAfter}::int)) order by id`)
  return rows.map(({ id }) => id)
}

/** Begins another run of a report's file that was lost; one that was lost too often has failed. */
export async function claimLostFile(queries: Pick<Queries, 'query'>, id: number): Promise<StoredFile | undefined> {
  const [claimedFile] = await queries.query(sql<StoredFile>`
    update report_files f set claimed_at = now(), attempts = f.attempts + 1, progress = 0,
           state = case when f.attempts < ${maxAttempts}::int then 'running' else 'failed' end
     where f.id = ${id} and f.state = 'running' returning ${columns}`)
  return claimedFile?.state === 'running' ? claimedFile : undefined
}

/** Presents a report's file on the wire. */
export function presentFile(file: StoredFile): ReportFile {
  const { id, key, format, locale, state, progress, name, createdAt, expiresAt } = file
  return {
    id,
    key,
    format,
    locale,
    state,
    progress,
    name,
    url: state === 'done' ? `/api/statistics/exports/${id}/file` : null,
    created_at: createdAt,
    expires_at: expiresAt,
  }
}
