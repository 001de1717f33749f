/** Computes the hashes of pictures that were stored before pictures had one, a portion every minute. */
import { buffer } from 'node:stream/consumers'
import { Fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { nearestFile } from './file-record.ts'
import { likenessOf, unknownLikeness } from './process-image.ts'
import type { FileStorage } from './storage/storage.ts'
import { newHash, readStoredName } from './stored-names.ts'

const every = 60_000
const portion = 50

interface Pending {
  id: number
  url: string | null
  ext: string | null
  formats: unknown
}

export class LikenessFill {
  readonly #database: Database
  readonly #storage: FileStorage
  readonly #onUnreadable: (error: unknown, id: number) => void
  readonly #clock = new RepeatedWork(every)

  /**
   * @param database - Where the hashes are.
   * @param storage - Where the pictures are.
   * @param onUnreadable - Receives the error of a picture that cannot be read, once for each.
   */
  constructor(database: Database, storage: FileStorage, onUnreadable: (error: unknown, id: number) => void) {
    this.#database = database
    this.#storage = storage
    this.#onUnreadable = onUnreadable
  }

  /**
   * Fills a portion now and every minute.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.fill(), onError)
  }

  /** Stops the clock and waits for a run that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /**
   * Fills one portion, the newest pictures first: posts of the last days show them. A picture that cannot be read while
   * the store answers for others is marked like one that cannot be decoded, so that it holds up none behind it.
   *
   * @returns How many pictures were filled.
   * @throws When the store of files does not answer; the next run begins with the same pictures.
   */
  async fill(): Promise<number> {
    const pending = await this.#database.query(sql<Pending>`
      select id, url, ext, formats from uploads where likeness is null order by id desc limit ${portion}::int`)
    if (pending.length === 0) return 0
    const hashes: string[] = []
    for (const one of pending) hashes.push(await this.#hashOrMark(one))
    // A picture that was replaced meanwhile has the hash of the new one.
    await this.#database.query(sql`
      update uploads u set likeness = found.hash
        from unnest(${pending.map(({ id }) => id)}::int[], ${pending.map(({ url }) => url)}::text[], ${hashes}::text[]) as found(id, url, hash)
       where u.id = found.id and u.url is not distinct from found.url and u.likeness is null`)
    return pending.length
  }

  /** The hash of a picture, or that of no picture when it alone cannot be read. Throws when the store is away. */
  async #hashOrMark(one: Pending): Promise<string> {
    try {
      return await this.#hashOf(one)
    } catch (error) {
      // Busy, not unreadable: the next run asks again.
      if (error instanceof Fault) throw error
      // A name that nobody has: a store that answers says that there is no such file.
      await this.#storage.read(`${newHash()}.jpg`)
      this.#onUnreadable(error, one.id)
      return unknownLikeness
    }
  }

  /** The hash of the smallest stored copy. A file that is missing is treated as one that cannot be decoded. */
  async #hashOf({ url, formats, ext }: Pending): Promise<string> {
    const name = nearestFile({ url, formats }, { format: 'thumbnail', ext: ext ?? '' })
    const file = readStoredName(name) && (await this.#storage.read(name))
    return likenessOf(file ? await buffer(file.stream) : Buffer.alloc(0))
  }
}
