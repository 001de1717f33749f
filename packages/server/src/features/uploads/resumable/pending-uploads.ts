/** Rows of resumable uploads: their owner, purpose and size, and the stored file of a finished one. */
import { randomBytes } from 'node:crypto'
import { fault, type Locale, pendingHours, type UploadPurpose } from '@dala/model'
import type { Database } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'

/** A resumable upload that has begun and is not finished. */
export interface PendingUpload {
  id: string
  purpose: UploadPurpose
  /** Cleaned name of the uploaded file. */
  name: string
  bytes: number
  /** Id of the file's record, once the file is stored. */
  file: number | null
}

/** The lesson that a file is for: the key of its document, and the language of subtitles. */
export interface LessonPlace {
  lesson: number
  locale: Locale
}

/** Pattern of the id of a resumable upload: 128 random bits. */
const pendingId = /^[0-9a-f]{32}$/

/**
 * Finds the lesson that an upload is for.
 *
 * @param database - The database.
 * @param id - The id of the lesson in any of its languages.
 * @returns The lesson, with the language of the id.
 * @throws 404 for an unknown lesson.
 */
export async function findPlace(database: Database, id: number): Promise<LessonPlace> {
  const [row] = await database.query(
    sql<LessonPlace>`select document_id as lesson, locale from lessons_texts where id = ${id}::int`,
  )
  if (!row) throw fault('record.not-found')
  return row
}

/** Creates the row of a resumable upload, and returns the upload. */
export async function beginUpload(
  database: Database,
  owner: number,
  { purpose, name, bytes }: Pick<PendingUpload, 'purpose' | 'name' | 'bytes'>,
  targetLesson: LessonPlace | undefined,
): Promise<PendingUpload> {
  const id = randomBytes(16).toString('hex')
  await database.query(sql`
    insert into resumable_uploads (id, owner_id, purpose, name, bytes, lesson_id, locale)
      values (${id}, ${owner}, ${purpose}, ${name}, ${bytes}::bigint, ${targetLesson?.lesson ?? null}::int, ${targetLesson?.locale ?? null})`)
  return { id, purpose, name, bytes, file: null }
}

/**
 * Reads a resumable upload of a user.
 *
 * @throws 404 for an upload of somebody else, for an unknown one and for one that has expired.
 */
export async function readUpload(database: Database, owner: number, id: string): Promise<PendingUpload> {
  const [row] = pendingId.test(id)
    ? await database.query(sql<PendingUpload>`
        select id, purpose, name, bytes::float8 as bytes, file_id as file from resumable_uploads
         where id = ${id} and owner_id = ${owner}::int and created_at > now() - ${`${pendingHours} hours`}::interval`)
    : []
  if (!row) throw fault('file.not-found')
  return row
}

/** Notes the stored file of a finished upload, so that its client may ask for it again. */
export async function finishUpload(database: Database, id: string, file: number): Promise<void> {
  await database.query(sql`update resumable_uploads set file_id = ${file} where id = ${id}`)
}

/** Deletes the row of a resumable upload. */
export async function forgetUpload(database: Database, id: string): Promise<void> {
  await database.query(sql`delete from resumable_uploads where id = ${id}`)
}

/** Returns the ids of resumable uploads that have expired or belong to nobody. */
export async function expiredUploads(database: Database, now: number): Promise<string[]> {
  const sinceTime = new Date(now - pendingHours * 3_600_000).toISOString()
  const rows = await database.query(sql<{ id: string }>`
    select id from resumable_uploads where owner_id is null or created_at < ${sinceTime}::timestamptz`)
  return rows.map(({ id }) => id)
}
