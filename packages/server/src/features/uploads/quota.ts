/** Limits the storage and the concurrent uploads of a user (checklist §3, §4). */
import { statfs } from 'node:fs/promises'
import { fault, type FileUsage, pendingHours } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { trashDays } from '../../resources/write/restore.ts'
import { maxUploadsOfUser, sizeText, type UploadSettings } from './limits.ts'

/**
 * Checks the free space of the disk for uploads.
 *
 * @throws 507 when it is below the reserve.
 */
export async function assertDiskSpace(folder: string, { reserveBytes }: UploadSettings): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < reserveBytes) throw fault('server.disk-full')
}

/** Factor of the quota for the files of a user together with those in their trash. */
const trashFactor = 2

interface UsedSpace {
  files: number
  bytes: number
}

/** Files and bytes that an upload adds; those of videos have a quota of their own. */
interface AddedSpace extends UsedSpace {
  areVideos?: boolean
}

/**
 * SQL of the number of a user's file rows `size, formats, is_video`, and of the bytes of those that are
 * videos or not; sizes are stored in thousands of bytes (contract §10).
 */
const usedSpaceSql = (rows: Template<unknown>, areVideos: boolean) => sql<UsedSpace>`
  select count(*)::int as files,
         coalesce(sum(size + coalesce((select sum((copy.value ->> 'size')::numeric + coalesce((copy.value -> 'webp' ->> 'size')::numeric, 0))
                                     from jsonb_each(formats) copy), 0)) filter (where coalesce(is_video, false) = ${areVideos}::boolean), 0)::float8 * 1000 as bytes
    from (${rows}) as file`

/** SQL of the files of a user, and of their unfinished resumable uploads. */
const liveFilesSql = (user: number) => sql`
    select size, formats, mime like 'video/%' as is_video from uploads where owner_id = ${user}::int
    union all
    select bytes / 1000.0, null, purpose like 'lesson%' from resumable_uploads
     where owner_id = ${user}::int and file_id is null and created_at > now() - ${`${pendingHours} hours`}::interval`

/**
 * Reads how much of their quota a user has used.
 *
 * @param database - The database with the records of files.
 * @param user - The owner of the files.
 * @param settings - The quota.
 * @returns The files, their bytes and the bytes of videos, each with its maximum.
 */
export async function readUsage(database: Database, user: number, settings: UploadSettings): Promise<FileUsage> {
  const [otherSpace, videos] = await database.query(
    sql<UsedSpace>`${usedSpaceSql(liveFilesSql(user), false)} union all ${usedSpaceSql(liveFilesSql(user), true)}`,
  )
  return {
    files: { used: otherSpace?.files ?? 0, most: settings.quotaFiles },
    bytes: { used: Math.round(otherSpace?.bytes ?? 0), most: settings.quotaBytes },
    video_bytes: { used: Math.round(videos?.bytes ?? 0), most: settings.videoQuotaBytes },
  }
}

/**
 * Refuses files beyond the quota of a user. Smaller copies count as bytes, not as files. An unfinished
 * resumable upload counts with its whole size. Files in the trash do not count, so that deleting makes room.
 * Together with them a user may store twice as much, so that the disk is still bounded.
 *
 * @param database - The database with the records of files.
 * @param user - The owner of the files.
 * @param added - The added files and bytes.
 * @param settings - The quota.
 * @throws 413 `upload.quota`.
 */
export async function assertQuota(
  database: Database,
  user: number,
  { areVideos = false, ...addedSpace }: AddedSpace,
  { quotaFiles, ...settings }: UploadSettings,
): Promise<void> {
  const quotaBytes = areVideos ? settings.videoQuotaBytes : settings.quotaBytes
  const trashSql = sql`
    select distinct on (r.document_id) (r.changes -> 'size' ->> 'before')::numeric as size,
           nullif(r.changes -> 'formats' -> 'before', 'null'::jsonb) as formats,
           r.changes -> 'mime' ->> 'before' like 'video/%' as is_video
      from revisions r
     where r.resource = 'uploads' and r.operation = 'remove' and r.kept is not null
       and r.created_at > now() - ${`${trashDays} days`}::interval and r.changes -> 'owner' -> 'before' -> 0 = to_jsonb(${user}::int)
       and not exists (select 1 from uploads u where u.id = r.document_id)
     order by r.document_id, r.id desc`
  const [usedSpace, trashedSpace] = await database.query(
    sql<UsedSpace>`${usedSpaceSql(liveFilesSql(user), areVideos)} union all ${usedSpaceSql(trashSql, areVideos)}`,
  )
  const [files, bytes] = [(usedSpace?.files ?? 0) + addedSpace.files, (usedSpace?.bytes ?? 0) + addedSpace.bytes]
  const isWithin = files <= quotaFiles && bytes <= quotaBytes
  const isWithinTrash =
    files + (trashedSpace?.files ?? 0) <= quotaFiles * trashFactor &&
    bytes + (trashedSpace?.bytes ?? 0) <= quotaBytes * trashFactor
  if (isWithin && isWithinTrash) return
  throw fault('upload.quota', { params: { count: quotaFiles, size: sizeText(quotaBytes) } })
}

/** Counts the running uploads of each user. */
export class RunningUploads {
  readonly #taken = new Map<number, number>()
  readonly #turns = new Map<number, Promise<unknown>>()

  /**
   * Runs an upload of a user.
   *
   * @throws 429 when ten uploads of this user are running.
   */
  async take<T>(user: number, runTask: () => Promise<T>): Promise<T> {
    const takenBytes = this.#taken.get(user) ?? 0
    if (takenBytes >= maxUploadsOfUser) throw fault('upload.too-many-at-once', { retryAfter: 5 })
    this.#taken.set(user, takenBytes + 1)
    try {
      return await runTask()
    } finally {
      const leftCount = (this.#taken.get(user) ?? 1) - 1
      if (leftCount > 0) this.#taken.set(user, leftCount)
      else this.#taken.delete(user)
    }
  }

  /** Runs upload tasks of one user one after the other, so that two uploads cannot use the same space. */
  async inTurn<T>(user: number, runTask: () => Promise<T>): Promise<T> {
    const userTurn = (this.#turns.get(user) ?? Promise.resolve()).then(runTask, runTask)
    this.#turns.set(user, userTurn)
    try {
      return await userTurn
    } finally {
      if (this.#turns.get(user) === userTurn) this.#turns.delete(user)
    }
  }
}
