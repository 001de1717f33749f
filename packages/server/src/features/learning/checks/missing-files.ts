/**
 * Finds files that lessons name and the storage does not have: a restored copy or a deleted record leaves
 * such names.
 */
import { type Locale, storedFilePattern } from '@dala/model'
import type { Queries } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'
import type { ContentRecord } from '../../../domain/learning/course-content.ts'
import type { ReadinessFinding } from '../../../domain/learning/readiness.ts'
import { isObject } from '../../../resources/read/context.ts'

/** The storage of uploaded files, as far as a check uses it. */
export interface StoredFiles {
  /** Returns the size of a stored file in bytes; undefined for an unknown name. */
  size: (name: string) => Promise<number | undefined>
}

/** Numbers of files that are looked up at a time, and in one call: further files count as present. */
const parallelCount = 8
const maxCheckedFiles = 2_000

/** A file that a lesson names. */
interface NamedFile {
  lesson: number
  locale: Locale | null
  /** Address of the file in a text of the lesson; undefined for the file of an attachment. */
  address?: string
  attachment?: number
}

interface FoundFile {
  /** Present address of an uploaded file; null when its record was deleted. */
  url: string | null
  name: string
}

const address = new RegExp(`^/uploads/(${storedFilePattern})$`)
const nameInUrl = (url: string | null | undefined) => address.exec(url ?? '')?.[1]

/** Returns the files that a lesson names: its video files, subtitles by language, and attachments. */
function filesNamedBy({ document: lesson, shared: sharedValues, texts }: ContentRecord): NamedFile[] {
  const video = isObject(sharedValues.video) ? sharedValues.video : {}
  const addresses = [
    ...[video.file, video.small, video.poster].map((value) => ({ value, locale: null })),
    ...texts.map(({ locale, values }) => ({ value: values.subtitles, locale })),
  ]
  const attachments: unknown[] = Array.isArray(sharedValues.attachments) ? sharedValues.attachments : []
  return [
    ...addresses.flatMap(({ value, locale }) =>
      typeof value === 'string' && value !== '' ? [{ lesson, locale, address: value }] : [],
    ),
    ...attachments.map((attachment) => ({ lesson, locale: null, attachment: Number(attachment) })),
  ]
}

/** Reads the present file of each address, also of a replaced file, and the name of a deleted one. */
async function findByAddress(runner: Pick<Queries, 'query'>, addresses: readonly string[]) {
  if (addresses.length === 0) return new Map<string | undefined, FoundFile>()
  const rows = await runner.query(sql<FoundFile & { address: string }>`
    select given.address, known.url,
           coalesce(known.name, (
             select r.changes -> 'name' ->> 'before' from upload_addresses a
               join revisions r on r.resource = 'uploads' and r.document_id = a.file_id and r.operation = 'remove'
              where a.hash = given.hash order by r.id desc limit 1), regexp_replace(given.address, '^.*/', '')) as name
      from (select one as address, substring(one from '[0-9a-f]{32}') as hash from unnest(${addresses}::text[]) one) given
      left join lateral (
        select u.url, u.name from uploads u where u.hash = given.hash
        union all
        select u.url, u.name from upload_addresses a join uploads u on u.id = a.file_id where a.hash = given.hash
        limit 1) known on true`)
  return new Map<string | undefined, FoundFile>(rows.map((row) => [row.address, row]))
}

/** Reads the files of a lesson's attachments that learners see; an attachment with a link has none. */
async function findByAttachment(runner: Pick<Queries, 'query'>, attachments: readonly number[]) {
  if (attachments.length === 0) return new Map<number | undefined, FoundFile>()
  const rows = await runner.query(sql<FoundFile & { id: number }>`
    select a.id, u.url, coalesce(u.name, (
             select t.name from attachments_texts t where t.document_id = a.id order by t.locale <> a.source_locale, t.id limit 1), '') as name
      from attachments a left join uploads u on u.id = a.file_id
     where a.id = any(${attachments}::int[]) and a.active and (a.file_id is not null or coalesce(a.link, '') = '')`)
  return new Map<number | undefined, FoundFile>(rows.map((row) => [row.id, row]))
}

/** Returns those of some file names that the storage has, each looked up once. */
async function storedNamesOf(files: StoredFiles, names: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const storedNames = new Set([...names].slice(maxCheckedFiles))
  const waitingNames = [...names].slice(0, maxCheckedFiles)
  const lookUpNextFile = async () => {
    for (let name = waitingNames.pop(); name !== undefined; name = waitingNames.pop())
      if ((await files.size(name)) !== undefined) storedNames.add(name)
  }
  await Promise.all(Array.from({ length: parallelCount }, lookUpNextFile))
  return storedNames
}

/**
 * Finds the missing files of lessons.
 *
 * @param runner - The database; not a transaction, because the storage may be slow.
 * @param files - The storage.
 * @param lessons - The lessons.
 * @returns A problem for each missing file of a lesson.
 * @throws 503 when the storage does not answer.
 */
export async function findMissingFiles(
  runner: Pick<Queries, 'query'>,
  files: StoredFiles,
  lessons: readonly ContentRecord[],
): Promise<ReadinessFinding[]> {
  const namedFiles = lessons.flatMap(filesNamedBy)
  const filesByAddress = await findByAddress(
    runner,
    namedFiles.flatMap((namedFile) => namedFile.address ?? []),
  )
  const filesByAttachment = await findByAttachment(
    runner,
    namedFiles.flatMap((namedFile) => namedFile.attachment ?? []),
  )
  const foundFiles = namedFiles.flatMap((namedFile) => {
    const file =
      namedFile.attachment === undefined
        ? filesByAddress.get(namedFile.address)
        : filesByAttachment.get(namedFile.attachment)
    return file ? [{ ...namedFile, file, stored: nameInUrl(file.url) }] : []
  })
  const storedNames = await storedNamesOf(files, new Set(foundFiles.flatMap((foundFile) => foundFile.stored ?? [])))
  return foundFiles.flatMap(({ lesson, locale, file, stored: name }): ReadinessFinding[] =>
    name !== undefined && storedNames.has(name)
      ? []
      : [{ lesson, locale, code: 'lesson.file-missing', file: file.name }],
  )
}
