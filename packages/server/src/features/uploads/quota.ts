/** How much one person may store, and how many uploads of his are read at once (checklist §3, §4). */
import { statfs } from 'node:fs/promises'
import { fault } from '@dala/model'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { maxUploadsOfUser, sizeText, type UploadSettings } from './limits.ts'

/** Throws 507 when the disk would be left with less than the reserve. */
export async function assertDiskSpace(folder: string, { reserveBytes }: UploadSettings): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < reserveBytes) throw fault('server.disk-full')
}

/**
 * Throws 413 when so many more files would go beyond what a person may store; smaller copies count as bytes, not as
 * files. Sizes are kept in thousands of bytes (contract §10).
 */
export async function assertQuota(
  database: Database,
  user: number,
  added: { files: number; bytes: number },
  { quotaBytes, quotaFiles }: UploadSettings,
): Promise<void> {
  const [used] = await database.query(sql<{ files: number; bytes: number }>`
    select count(*)::int as files,
           coalesce(sum(size + coalesce((select sum((copy.value ->> 'size')::numeric + coalesce((copy.value -> 'webp' ->> 'size')::numeric, 0))
                                       from jsonb_each(formats) copy), 0)), 0)::float8 * 1000 as bytes
      from uploads where owner_id = ${user}::int`)
  if (used && used.files + added.files <= quotaFiles && used.bytes + added.bytes <= quotaBytes) return
  throw fault('upload.quota', { params: { count: quotaFiles, size: sizeText(quotaBytes) } })
}

/** The uploads of each person that are going on. */
export class UploadPlaces {
  readonly #taken = new Map<number, number>()
  readonly #turns = new Map<number, Promise<unknown>>()

  /** Runs an upload. Throws 429 when this person has ten going on already. */
  async take<T>(user: number, work: () => Promise<T>): Promise<T> {
    const taken = this.#taken.get(user) ?? 0
    if (taken >= maxUploadsOfUser) throw fault('upload.too-many-at-once', { retryAfter: 5 })
    this.#taken.set(user, taken + 1)
    try {
      return await work()
    } finally {
      const left = (this.#taken.get(user) ?? 1) - 1
      if (left > 0) this.#taken.set(user, left)
      else this.#taken.delete(user)
    }
  }

  /** Runs work of one person one after the other, so that two uploads cannot use up the same space. */
  async inTurn<T>(user: number, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(user) ?? Promise.resolve()).then(work, work)
    this.#turns.set(user, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(user) === turn) this.#turns.delete(user)
    }
  }
}
