/** Computes the hashes of pictures that were stored before pictures had one, a portion every minute. */
import { buffer } from 'node:stream/consumers'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { nearestFile } from './file-record.ts'
import { likenessOf } from './process-image.ts'
import type { FileStorage } from './storage.ts'
import { readStoredName } from './stored-names.ts'

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
  readonly #clock = new RepeatedWork(every)

  constructor(database: Database, storage: FileStorage) {
    this.#database = database
    this.#storage = storage
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
   * Fills one portion, the newest pictures first: posts of the last days show them.
   *
   * @returns How many pictures were filled.
   * @throws When the store of files does not answer; the next run begins with the same pictures.
   */
  async fill(): Promise<number> {
    const pending = await this.#database.query(sql<Pending>`
      select id, url, ext, formats from uploads where likeness is null order by id desc limit ${portion}::int`)
    if (pending.length === 0) return 0
    const hashes: string[] = []
    for (const one of pending) hashes.push(await this.#hashOf(one))
    // A picture that was replaced meanwhile has the hash of the new one.
    await this.#database.query(sql`
      update uploads u set likeness = found.hash
        from unnest(${pending.map(({ id }) => id)}::int[], ${pending.map(({ url }) => url)}::text[], ${hashes}::text[]) as found(id, url, hash)
       where u.id = found.id and u.url is not distinct from found.url and u.likeness is null`)
    return pending.length
  }

  /** The hash of the smallest stored copy. A file that is missing is treated as one that cannot be decoded. */
  async #hashOf({ url, formats, ext }: Pending): Promise<string> {
    const name = nearestFile({ url, formats }, { format: 'thumbnail', ext: ext ?? '' })
    const file = readStoredName(name) && (await this.#storage.read(name))
    return likenessOf(file ? await buffer(file.stream) : Buffer.alloc(0))
  }
}
