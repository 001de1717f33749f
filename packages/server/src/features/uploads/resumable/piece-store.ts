/** Stores the bytes of unfinished resumable uploads: in a folder, or as a multipart upload of a bucket. */
import { copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pendingHours } from '@dala/model'
import type { DataStore } from '@tus/server'
import type { StoreSettings } from '../../../settings.ts'
import type { DiskStorage } from '../storage/disk-storage.ts'
import { objectClientOptions } from '../../../domain/files/object-client.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { ByteRange, ReadFile } from '../storage/storage.ts'

const lifetime = pendingHours * 3_600_000

/** Store of unfinished uploads. Their ids are random and hexadecimal, so that they are safe names. */
export interface PieceStore {
  /** Returns the store of unfinished uploads as the library of the tus protocol uses it. */
  open(): Promise<DataStore>
  /** Returns the number of an upload's bytes that have arrived; undefined for an unknown id. */
  size(id: string): Promise<number | undefined>
  /** Opens an unfinished upload whose bytes are complete, or a range of them; undefined for an unknown id. */
  read(id: string, range?: ByteRange): Promise<ReadFile | undefined>
  /**
   * Stores the complete bytes of an upload as a file. The upload remains, so that a failure loses nothing.
   */
  copy(id: string, name: string, fileDetails: { mime: string }): Promise<void>
  /** Removes an upload of the store, complete or not; an unknown id is no error. */
  remove(id: string): Promise<void>
}

/** Unfinished uploads in a folder beside the stored files. */
export class DiskPieces implements PieceStore {
  readonly #folder: string
  readonly #storage: DiskStorage
  #opened: Promise<DataStore> | undefined

  constructor(folder: string, storage: DiskStorage) {
    this.#folder = folder
    this.#storage = storage
  }

  open(): Promise<DataStore> {
    this.#opened ??= mkdir(this.#folder, { recursive: true, mode: 0o700 }).then(async () => {
      const { FileStore } = await import('@tus/file-store')
      return new FileStore({ directory: this.#folder, expirationPeriodInMilliseconds: lifetime })
    })
    return this.#opened
  }

  async size(id: string): Promise<number | undefined> {
    return (await stat(this.#pathOf(id)).catch(() => undefined))?.size
  }

  async read(id: string, range?: ByteRange): Promise<ReadFile | undefined> {
    const fileHandle = await open(this.#pathOf(id), 'r').catch(() => undefined)
    if (!fileHandle) return undefined
    const size = range ? range.end - range.start + 1 : (await fileHandle.stat()).size
    return { size, stream: fileHandle.createReadStream(range) }
  }

  async copy(id: string, name: string): Promise<void> {
    const secondPath = `${this.#pathOf(id)}.second`
    await rm(secondPath, { force: true })
    // Some file systems have no second names for a file.
    await link(this.#pathOf(id), secondPath).catch(() => copyFile(this.#pathOf(id), secondPath))
    await this.#storage.put(name, secondPath)
  }

  async remove(id: string): Promise<void> {
    for (const nameEnding of ['', '.json', '.second']) await rm(`${this.#pathOf(id)}${nameEnding}`, { force: true })
  }

  #pathOf(id: string): string {
    return join(this.#folder, id)
  }
}

/** Unfinished uploads in the bucket of the stored files. */
export class ObjectPieces implements PieceStore {
  readonly #settings: StoreSettings
  readonly #storage: ObjectStorage
  #opened: Promise<DataStore> | undefined

  constructor(settings: StoreSettings, storage: ObjectStorage) {
    this.#settings = settings
    this.#storage = storage
  }

  open(): Promise<DataStore> {
    this.#opened ??= import('@tus/s3-store').then(
      ({ S3Store }) =>
        new S3Store({
          s3ClientConfig: { bucket: this.#settings.bucket, ...objectClientOptions(this.#settings) },
          expirationPeriodInMilliseconds: lifetime,
          // Tags of objects would serve rules of the bucket, but the server itself removes abandoned uploads.
          useTags: false,
          maxConcurrentPartUploads: 4,
        }),
    )
    return this.#opened
  }

  size(id: string): Promise<number | undefined> {
    return this.#storage.size(id)
  }

  read(id: string, range?: ByteRange): Promise<ReadFile | undefined> {
    return this.#storage.read(id, range)
  }

  copy(id: string, name: string, metadata: { mime: string }): Promise<void> {
    return this.#storage.copy(id, name, metadata)
  }

  async remove(id: string): Promise<void> {
    // A complete upload is an object of the bucket and no multipart upload any more.
    await (await this.open()).remove(id).catch(() => undefined)
    for (const nameEnding of ['', '.info', '.part']) await this.#storage.remove(`${id}${nameEnding}`)
  }
}
