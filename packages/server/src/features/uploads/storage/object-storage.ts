/** Stores files in one bucket of an S3-compatible store, by the official client (decision 19). */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type * as Sdk from '@aws-sdk/client-s3'
import { UnavailableError } from '../../../http/unavailable.ts'
import {
  isMissing,
  isRetryable,
  objectClientOptions,
  reasonOf,
  type StoreTimeouts,
  storeTimeouts,
} from '../../../domain/files/object-client.ts'
import type { StoreSettings } from '../../../settings.ts'
import type { ByteRange, FileStorage, ListedFile, ReadFile } from './storage.ts'
import { readStoredName } from '../stored-names.ts'

interface OpenedObject {
  sdk: typeof Sdk
  client: Sdk.S3Client
}

/** Pattern of the names of unfinished uploads and of what their library stores beside them. */
const pieceName = /^[0-9a-f]{32}(?:[.](?:info|part))?$/

function assertName(name: string): void {
  if (!readStoredName(name) && !pieceName.test(name)) throw new Error('This is no name of a stored file')
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('md5')
  await pipeline(createReadStream(file), hash)
  return hash.digest('base64')
}

/** Storage of files in a bucket of an object store. */
export class ObjectStorage implements FileStorage {
  readonly provider = 's3'
  readonly #settings: StoreSettings
  readonly #timeouts: StoreTimeouts
  #opened: Promise<OpenedObject> | undefined

  constructor(settings: StoreSettings, limits: Partial<StoreTimeouts> = {}) {
    this.#settings = settings
    this.#timeouts = { ...storeTimeouts, ...limits }
  }

  async put(name: string, file: string, { mime }: { mime: string }): Promise<void> {
    assertName(name)
    const [{ size }, checksum] = [await stat(file), await checksumOf(file)]
    const input = { ...this.#at(name), ContentType: mime, ContentLength: size, ContentMD5: checksum }
    // A stream is consumed by one try, so the client of the store itself must not retry.
    for (let attempt = 1; ; attempt += 1) {
      const body = createReadStream(file)
      try {
        const { client, sdk } = await this.#open()
        await client.send(new sdk.PutObjectCommand({ ...input, Body: body }))
        return
      } catch (error) {
        if (attempt >= this.#timeouts.attempts || !isRetryable(error)) throw this.#failure('take a file', error)
        await pause(this.#timeouts.pause * attempt)
      } finally {
        body.destroy()
      }
    }
  }

  async size(name: string): Promise<number | undefined> {
    assertName(name)
    const foundFile = await this.#ask('tell of a file', ({ client, sdk }) =>
      client.send(new sdk.HeadObjectCommand(this.#at(name))),
    )
    return foundFile?.ContentLength
  }

  async read(name: string, range?: ByteRange): Promise<ReadFile | undefined> {
    assertName(name)
    const input = { ...this.#at(name), ...(range && { Range: `bytes=${range.start}-${range.end}` }) }
    const foundFile = await this.#ask('give a file', ({ client, sdk }) => client.send(new sdk.GetObjectCommand(input)))
    if (!foundFile) return undefined
    const { Body: stream, ContentLength: size } = foundFile
    if (!(stream instanceof Readable)) throw new UnavailableError('The object store gave no content.')
    if (size === undefined || (range && size !== range.end - range.start + 1)) {
      stream.destroy()
      throw new UnavailableError('The object store gave other bytes than were asked for.')
    }
    return { stream, size }
  }

  /** Copies an object of the bucket inside the store. */
  async copy(sourceName: string, name: string, { mime }: { mime: string }): Promise<void> {
    assertName(sourceName)
    assertName(name)
    const source = `${this.#settings.bucket}/${sourceName}`
    const copySettings = { ContentType: mime, MetadataDirective: 'REPLACE' } as const
    const copyAnswer = await this.#ask('copy a file', ({ client, sdk }) =>
      client.send(new sdk.CopyObjectCommand({ ...this.#at(name), CopySource: source, ...copySettings })),
    )
    if (!copyAnswer) throw new UnavailableError('The object store did not copy a file: it is gone.')
  }

  async remove(name: string): Promise<void> {
    assertName(name)
    await this.#ask('remove a file', ({ client, sdk }) => client.send(new sdk.DeleteObjectCommand(this.#at(name))))
  }

  async *list(): AsyncGenerator<ListedFile> {
    const input = { Bucket: this.#settings.bucket, MaxKeys: this.#timeouts.page }
    let token: string | undefined
    do {
      const nextInput = { ...input, ...(token !== undefined && { ContinuationToken: token }) }
      const page = await this.#ask('list its files', ({ client, sdk }) =>
        client.send(new sdk.ListObjectsV2Command(nextInput)),
      )
      for (const { Key: name, LastModified: changedAt } of page?.Contents ?? []) {
        if (name !== undefined && changedAt && readStoredName(name)) yield { name, changedAt }
      }
      token = page?.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#settings.bucket, Key: name }
  }

  #failure(taskName: string, error: unknown): UnavailableError {
    return new UnavailableError(`The object store did not ${taskName}: ${reasonOf(error)}.`)
  }

  /**
   * Sends a request to the object store.
   *
   * @returns Its answer; undefined when it has no such file.
   * @throws `Unavailable` for any other error.
   */
  async #ask<T>(taskName: string, send: (openedObject: OpenedObject) => Promise<T>): Promise<T | undefined> {
    try {
      return await send(await this.#open())
    } catch (error) {
      if (isMissing(error)) return undefined
      throw this.#failure(taskName, error)
    }
  }

  /**
   * Loads the object store's client with the first call, so that a server without a bucket never loads it.
   */
  #open(): Promise<OpenedObject> {
    this.#opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: this.#connect(sdk) }))
    return this.#opened
  }

  #connect(sdk: typeof Sdk): Sdk.S3Client {
    return new sdk.S3Client(objectClientOptions(this.#settings, this.#timeouts))
  }
}
