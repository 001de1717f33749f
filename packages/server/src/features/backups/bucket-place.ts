/**
 * Backups in a bucket: a copy of the database and a manifest each. Uploaded files are stored once, named by their
 * checksum, and the manifests name them.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type * as Sdk from '@aws-sdk/client-s3'
import { bytesOf, manifestOf, uploadPath } from '../../db/backups/backup.ts'
import { BackupError } from '../../db/backups/backup-error.ts'
import { archiveNames, type Manifest, manifestName, manifestText, parseManifest } from '../../db/backups/manifest.ts'
import { checksumOfStream, storeFile } from '../../db/backups/stored-file.ts'
import { isMissing, objectClientOptions, reasonOf } from '../../domain/files/object-client.ts'
import type { BackupBucketSettings } from '../../settings.ts'
import { backupName, type BackupPlace, isSameKey, type StagedCopy, type WriteOptions } from './backup-place.ts'

/** Bytes of one request that stores an object, or a part of a larger one. */
const partBytes = 64 * 1_048_576
/** Milliseconds for one request with its bytes. */
const answerTimeout = 600_000

interface OpenBucket {
  sdk: typeof Sdk
  client: Sdk.S3Client
}

async function md5Of(file: string, range: { start: number; end: number }): Promise<string> {
  const hash = createHash('md5')
  await pipeline(createReadStream(file, range), hash)
  return hash.digest('base64')
}

export class BucketPlace implements BackupPlace {
  readonly name = 'bucket'
  readonly #settings: BackupBucketSettings
  #opened: Promise<OpenBucket> | undefined

  constructor(settings: BackupBucketSettings) {
    this.#settings = settings
  }

  async list(): Promise<string[]> {
    const names: string[] = []
    for await (const { key } of this.#objects(this.#folderKey()))
      if (key.endsWith(`/${manifestName}`)) names.push(this.#nameIn(key))
    return names.filter((name) => backupName.test(name)).sort()
  }

  async clean(): Promise<void> {
    const complete = new Set(await this.list())
    for await (const { key } of this.#objects(this.#folderKey()))
      if (backupName.test(this.#nameIn(key)) && !complete.has(this.#nameIn(key))) await this.#removeObject(key)
  }

  async readManifest(name: string): Promise<Manifest> {
    return (await this.readManifestText(name)).manifest
  }

  /** Reads a manifest with its text. */
  async readManifestText(name: string): Promise<{ text: string; manifest: Manifest }> {
    const stream = await this.#read(this.#key(name, manifestName))
    const text = Buffer.concat(await stream.toArray()).toString()
    const manifest = parseManifest(text)
    if (!manifest) throw new BackupError(`The ${manifestName} of ${name} cannot be read.`)
    return { text, manifest }
  }

  async write(name: string, copy: StagedCopy, options: WriteOptions): Promise<number> {
    const workFolder = await mkdtemp(join(dirname(copy.file), 'bucket-'))
    try {
      await this.#put(this.#key(name, archiveNames[copy.kind]), copy.file)
      const uploads = await this.#writeUploads(workFolder, options)
      const manifest = manifestOf(copy, uploads.checksums, options)
      const manifestFile = join(workFolder, manifestName)
      await writeFile(manifestFile, manifestText(manifest, options.key), { mode: 0o600 })
      await this.#put(this.#key(name, manifestName), manifestFile)
      return copy.bytes + uploads.bytes
    } finally {
      await rm(workFolder, { recursive: true, force: true })
    }
  }

  async compareFiles(name: string, manifest: Manifest, signal: AbortSignal): Promise<number> {
    const files = Object.entries(manifest.files)
    for (const [path, checksum] of files) {
      const stream = await this.#read(this.#objectOf(name, path, checksum))
      if ((await checksumOfStream(stream, signal)) !== checksum)
        throw new BackupError(`The backup was altered: ${path} is not what was backed up.`)
    }
    return files.length
  }

  async fetchCopy(name: string, { kind }: Manifest, folder: string): Promise<string> {
    const file = join(folder, archiveNames[kind])
    await this.#fetch(this.#key(name, archiveNames[kind]), file)
    return file
  }

  /**
   * Fetches one file of a backup.
   *
   * @param name - The name of the backup.
   * @param path - The path of the file in the manifest, with its checksum.
   * @param target - The path of the new file.
   */
  async fetchFile(name: string, [path, checksum]: readonly [string, string], target: string): Promise<void> {
    await this.#fetch(this.#objectOf(name, path, checksum), target)
  }

  /** The manifest is removed first: an interrupted removal leaves a backup that is not complete. */
  async remove(name: string): Promise<void> {
    await this.#removeObject(this.#key(name, manifestName))
    for (const file of Object.values(archiveNames)) await this.#removeObject(this.#key(name, file))
  }

  /** Removes nothing when one manifest cannot be read: its files are not known then. */
  async sweep(): Promise<void> {
    const named = new Set<string>()
    for (const name of await this.list())
      for (const checksum of Object.values((await this.readManifest(name)).files)) named.add(this.#fileKey(checksum))
    for await (const { key } of this.#objects(this.#fileKey(''))) if (!named.has(key)) await this.#removeObject(key)
  }

  async #writeUploads(workFolder: string, { uploads, key, mustCompare, signal, assertSpace }: WriteOptions) {
    const former = await this.#former(key)
    const stored = new Map<string, number>()
    for await (const object of this.#objects(this.#fileKey(''))) stored.set(object.key, object.bytes)
    const checksums: Record<string, string> = {}
    let bytes = 0
    const file = join(workFolder, 'upload')
    for await (const { name } of uploads.list()) {
      signal.throwIfAborted()
      const path = uploadPath(name)
      const known = former?.files[path]
      const knownBytes = known === undefined ? undefined : stored.get(this.#fileKey(known))
      if (known !== undefined && knownBytes !== undefined && !(mustCompare && (await this.#isAltered(known)))) {
        checksums[path] = known
        bytes += knownBytes
        continue
      }
      const found = await uploads.read(name)
      if (!found) continue
      await assertSpace(workFolder)
      const { checksum, bytes: fileBytes } = await storeFile(found.stream, file, { key, signal })
      await this.#put(this.#fileKey(checksum), file)
      checksums[path] = checksum
      bytes += fileBytes
    }
    return { checksums, bytes }
  }

  async #isAltered(checksum: string): Promise<boolean> {
    return (await checksumOfStream(await this.#read(this.#fileKey(checksum)))) !== checksum
  }

  async #former(key: WriteOptions['key']): Promise<Manifest | undefined> {
    for (const name of (await this.list()).reverse()) {
      const manifest = await this.readManifest(name).catch(() => undefined)
      if (manifest && isSameKey(manifest, key)) return manifest
    }
    return undefined
  }

  #folderKey(): string {
    return `${this.#settings.prefix}/backups/`
  }
  #fileKey(checksum: string): string {
    return `${this.#settings.prefix}/files/${checksum}`
  }
  #key(name: string, file: string): string {
    return `${this.#folderKey()}${name}/${file}`
  }
  #nameIn(key: string): string {
    return key.slice(this.#folderKey().length).split('/')[0] ?? ''
  }
  #objectOf(name: string, path: string, checksum: string): string {
    return path.includes('/') ? this.#fileKey(checksum) : this.#key(name, path)
  }

  /** Stores a file, in parts where it is large. */
  async #put(key: string, file: string): Promise<void> {
    const size = await bytesOf(file)
    if (size > partBytes) return this.#putParts(key, file, size)
    const ContentMD5 = await md5Of(file, { start: 0, end: Infinity })
    await this.#ask('take a file', ({ client, sdk }) =>
      client.send(
        new sdk.PutObjectCommand({
          ...this.#at(key),
          Body: createReadStream(file),
          ContentLength: size,
          ContentMD5,
        }),
      ),
    )
  }

  async #putParts(key: string, file: string, size: number): Promise<void> {
    const { UploadId } = await this.#ask('begin a file', ({ client, sdk }) =>
      client.send(new sdk.CreateMultipartUploadCommand(this.#at(key))),
    )
    const upload = { ...this.#at(key), UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      for (let start = 0; start < size; start += partBytes) {
        const range = { start, end: Math.min(start + partBytes, size) - 1 }
        const PartNumber = Parts.length + 1
        const ContentMD5 = await md5Of(file, range)
        const { ETag } = await this.#ask('take a part of a file', ({ client, sdk }) =>
          client.send(
            new sdk.UploadPartCommand({
              ...upload,
              PartNumber,
              Body: createReadStream(file, range),
              ContentLength: range.end - range.start + 1,
              ContentMD5,
            }),
          ),
        )
        Parts.push({ PartNumber, ETag })
      }
      await this.#ask('complete a file', ({ client, sdk }) =>
        client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })),
      )
    } catch (error) {
      await this.#ask('forget a file', ({ client, sdk }) =>
        client.send(new sdk.AbortMultipartUploadCommand(upload)),
      ).catch(() => {})
      throw error
    }
  }

  async #read(key: string): Promise<Readable> {
    const { Body } = await this.#ask('give a file', ({ client, sdk }) =>
      client.send(new sdk.GetObjectCommand(this.#at(key))),
    )
    if (!(Body instanceof Readable)) throw new BackupError('The store of backups gave no content.')
    return Body
  }

  async #fetch(key: string, file: string): Promise<void> {
    await pipeline(await this.#read(key), createWriteStream(file, { mode: 0o600 }))
  }

  async #removeObject(key: string): Promise<void> {
    await this.#ask('remove a file', ({ client, sdk }) => client.send(new sdk.DeleteObjectCommand(this.#at(key))))
  }

  async *#objects(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    let token: string | undefined
    do {
      const input = {
        Bucket: this.#settings.bucket,
        Prefix: prefix,
        ...(token !== undefined && { ContinuationToken: token }),
      }
      const page = await this.#ask('list its files', ({ client, sdk }) =>
        client.send(new sdk.ListObjectsV2Command(input)),
      )
      for (const { Key, Size } of page.Contents ?? []) if (Key !== undefined) yield { key: Key, bytes: Size ?? 0 }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#settings.bucket, Key: key }
  }

  /** Sends a request to the store. Throws a BackupError for every error, without keys and signatures. */
  async #ask<T>(taskName: string, send: (bucket: OpenBucket) => Promise<T>): Promise<T> {
    try {
      this.#opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
        sdk,
        client: new sdk.S3Client(objectClientOptions(this.#settings, { answer: answerTimeout })),
      }))
      return await send(await this.#opened)
    } catch (error) {
      if (isMissing(error)) throw new BackupError('The backup is not complete: the store has one of its files no more.')
      throw new BackupError(`The store of backups did not ${taskName}: ${reasonOf(error)}.`)
    }
  }
}
