/** Stores files in one bucket of an S3-compatible store, by the official client (decision 19). */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type * as Sdk from '@aws-sdk/client-s3'
import { UnavailableError } from '../../../http/unavailable.ts'
import { isObject } from '../../../resources/read/context.ts'
import type { StoreSettings } from '../../../settings.ts'
import type { ByteRange, FileStorage, ListedFile, ReadFile } from './storage.ts'
import { readStoredName } from '../stored-names.ts'

/** Timeouts of the object store in milliseconds, and the number of tries. */
const storeTimeouts = {
  connectTimeout: 3_000,
  /** Maximum milliseconds without a byte on an open connection to the object store. */
  idle: 15_000,
  /**
   * Maximum milliseconds from a request to the object store, with all bytes of an upload, to the head of its
   * response.
   */
  answer: 60_000,
  attempts: 3,
  /** Milliseconds before the second try of an upload; doubled before the third. */
  pause: 200,
  /** Number of names on one page of the object store's list; stores return at most 1,000. */
  page: 1_000,
}
export type StoreTimeouts = typeof storeTimeouts

const ignoreLog = () => {}

interface OpenedObject {
  sdk: typeof Sdk
  client: Sdk.S3Client
}

/** Returns the status of the object store's answer; undefined without an answer. */
function statusOf(error: unknown): number | undefined {
  const metadata = isObject(error) ? error.$metadata : undefined
  const status = isObject(metadata) ? metadata.httpStatusCode : undefined
  return typeof status === 'number' ? status : undefined
}

/** Describes an error of the object store without keys and signatures, which its answers may repeat. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const status = statusOf(error)
  return status === undefined ? code : `${code} (status ${status})`
}

/** Tells whether the object store has no file of a name; a missing bucket is another error. */
const isMissing = (error: unknown) =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')

/**
 * Tells whether another try of a request to the object store may succeed: not after a refusal, but after an
 * overload or a lost connection.
 */
function isRetryable(error: unknown): boolean {
  const status = statusOf(error) ?? 500
  return status >= 500 || status === 429 || status === 408
}

/** Pattern of the names of unfinished uploads and of what their library stores beside them. */
const pieceName = /^[0-9a-f]{32}(?:[.](?:info|part))?$/

function assertName(name: string): void {
  if (!readStoredName(name) && !pieceName.test(name)) throw new Error('This is no name of a stored file')
}

/**
 * Returns the options of an object store's client.
 *
 * @param settings - The store and the key to it.
 * @param limits - Timeouts that differ from the usual ones.
 */
export function objectClientOptions(
  { endpoint, region, accessKeyId, secretAccessKey }: StoreSettings,
  limits: Partial<StoreTimeouts> = {},
): Sdk.S3ClientConfig {
  const { connectTimeout, idle, answer, attempts } = { ...storeTimeouts, ...limits }
  return {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Bucket names as hosts need a certificate and a DNS record each, which few stores except Amazon have.
    forcePathStyle: true,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeout,
      socketTimeout: idle,
      requestTimeout: answer,
      throwOnRequestTimeout: true,
    },
    // Many stores do not know Amazon's default checksums; Content-MD5 is known to all.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The client of the object store would write to the console; failures arrive as errors anyway.
    logger: { debug: ignoreLog, info: ignoreLog, warn: ignoreLog, error: ignoreLog },
    // The option of the object store is set here, so that no AWS_* variable of the machine changes it.
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
  }
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
