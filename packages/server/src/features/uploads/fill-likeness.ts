/** Computes missing hashes of stored pictures, a batch every minute. */
import { buffer } from 'node:stream/consumers'
import { Fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { nearestFile } from './file-record.ts'
import { likenessOf, emptyLikeness } from './process-image.ts'
import type { FileStorage } from './storage/storage.ts'
import { newHash, readStoredName } from './stored-names.ts'

const intervalMs = 60_000
const portion = 50

interface PendingFile {
  id: number
  url: string | null
  ext: string | null
  formats: unknown
}

/** Fills missing picture hashes in the background. */
export class LikenessFill {
  readonly #database: Database
  readonly #storage: FileStorage
  readonly #onUnreadable: (error: unknown, id: number) => void
  readonly #clock = new RepeatedWork(intervalMs)

  /**
   * Prepares the task that fills missing hashes of pictures.
   *
   * @param database - The database with the hashes.
   * @param storage - The store of the pictures.
   * @param onUnreadable - Receives the error of an unreadable picture, once for each.
   */
  constructor(database: Database, storage: FileStorage, onUnreadable: (error: unknown, id: number) => void) {
    this.#database = database
    this.#storage = storage
    this.#onUnreadable = onUnreadable
  }

  /**
   * Fills a batch of missing picture hashes now and every minute.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.fill(), onError)
  }

  /** Stops the timer of missing picture hashes and waits for a run that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /**
   * Fills one batch of missing hashes, the newest pictures first, because recent posts show them. An
   * unreadable picture is marked like one that cannot be decoded while the store answers for others, so that
   * it blocks none behind it.
   *
   * @returns The number of filled pictures.
   * @throws When the store does not answer; the next run starts with the same pictures.
   */
  async fill(): Promise<number> {
    const pendingFiles = await this.#database.query(sql<PendingFile>`
      select id, url, ext, formats from uploads where likeness is null and (mime is null or mime like 'image/%') order by id desc limit ${portion}::int`)
    if (pendingFiles.length === 0) return 0
    const hashes: string[] = []
    for (const pendingFile of pendingFiles) hashes.push(await this.#hashOrMark(pendingFile))
    // A picture that was replaced in the meantime has the hash of the new picture already.
    await this.#database.query(sql`
      update uploads u set likeness = found.hash
        from unnest(${pendingFiles.map(({ id }) => id)}::int[], ${pendingFiles.map(({ url }) => url)}::text[], ${hashes}::text[]) as found(id, url, hash)
       where u.id = found.id and u.url is not distinct from found.url and u.likeness is null`)
    return pendingFiles.length
  }

  /**
   * Returns the hash of a picture, or the mark of an unreadable one.
   *
   * @throws When the store does not answer.
   */
  async #hashOrMark(pendingFile: PendingFile): Promise<string> {
    try {
      return await this.#hashOf(pendingFile)
    } catch (error) {
      // The image decoder is busy, so the next run tries again.
      if (error instanceof Fault) throw error
      // A read of a name that cannot exist shows whether the store works: it then answers that there is no
      // such file.
      await this.#storage.read(`${newHash()}.jpg`)
      this.#onUnreadable(error, pendingFile.id)
      return emptyLikeness
    }
  }

  /** Returns the hash of the smallest stored copy. A missing file counts as one that cannot be decoded. */
  async #hashOf({ url, formats, ext }: PendingFile): Promise<string> {
    const name = nearestFile({ url, formats }, { format: 'thumbnail', ext: ext ?? '' })
    const file = readStoredName(name) && (await this.#storage.read(name))
    return likenessOf(file ? await buffer(file.stream) : Buffer.alloc(0))
  }
}
