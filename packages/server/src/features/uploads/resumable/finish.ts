/** Turns a complete upload into a stored file with its record, or refuses and removes it (contract §10). */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Fault, type VideoDetails } from '@dala/model'
import type { Database } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'
import type { Author } from '../../../resources/history/history.ts'
import { assertDocument } from '../received/document-kind.ts'
import { type ReceivedBytes, receivedBytes } from '../received/received-bytes.ts'
import { cleanSubtitles } from '../received/subtitles.ts'
import { readVideo } from '../received/video-details.ts'
import type { FileStorage } from '../storage/storage.ts'
import { type FileKind, fileKinds } from '../stored-names.ts'
import { incomingName, type Uploads } from '../uploads.ts'
import { finishUpload, forgetUpload, type PendingUpload } from './pending-uploads.ts'
import type { PieceStore } from './piece-store.ts'

export interface FinishParts {
  database: Database
  dataDir: string
  storage: FileStorage
  uploads: Uploads
  pieces: PieceStore
}

/** A checked file that may be stored: its details, its size, and how its bytes get their final name. */
interface AcceptedFile {
  bytes: number
  video?: VideoDetails
  put: (name: string) => Promise<void>
}

/** Returns the kind that the name of an upload says; undefined for a name of another purpose. */
export function kindOf(name: string, allowedEndings: readonly string[]): FileKind | undefined {
  const nameEnding = /[.]([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return allowedEndings.includes(nameEnding) && nameEnding in fileKinds ? (nameEnding as FileKind) : undefined
}

async function hashOf({ stream }: ReceivedBytes): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(await stream(), hash)
  return hash.digest('hex')
}

/** Finishes uploads whose last byte has arrived. */
export class UploadFinish {
  readonly #parts: FinishParts

  constructor(parts: FinishParts) {
    this.#parts = parts
  }

  /**
   * Checks and stores a complete upload. Bytes that the user has stored before are not stored again: the
   * existing file is returned.
   *
   * @param author - The owner of the upload.
   * @param pendingUpload - The upload; nothing else may write to it.
   * @param kind - The kind that its name says.
   * @returns The id of the record.
   * @throws 422 for a file that is not what its name says; the upload is removed then.
   */
  async finish(author: Author, pendingUpload: PendingUpload, kind: FileKind): Promise<number> {
    const { database, pieces } = this.#parts
    const bytes = receivedBytes(pendingUpload.bytes, (range) => pieces.read(pendingUpload.id, range))
    const file = await this.#storeOnce(author, pendingUpload, kind, bytes).catch(async (error: unknown) => {
      if (error instanceof Fault && error.status === 422) await this.cancel(pendingUpload.id)
      throw error
    })
    await finishUpload(database, pendingUpload.id, file)
    await pieces.remove(pendingUpload.id)
    return file
  }

  /** Removes a resumable upload with its bytes. */
  async cancel(id: string): Promise<void> {
    const { database, pieces } = this.#parts
    await pieces.remove(id)
    await forgetUpload(database, id)
  }

  async #storeOnce(
    author: Author,
    pendingUpload: PendingUpload,
    kind: FileKind,
    bytes: ReceivedBytes,
  ): Promise<number> {
    const { database, uploads } = this.#parts
    const sha256 = await hashOf(bytes)
    const [duplicate] = await database.query(sql<{ id: number }>`
      select id from uploads where owner_id = ${author.caller.id}::int and sha256 = ${sha256} and ext = ${fileKinds[kind].ext}
       order by id limit 1`)
    if (duplicate) return duplicate.id
    return this.#accepted(pendingUpload, kind, bytes, ({ put, ...fileDetails }) =>
      uploads.storeReceived(author, { label: pendingUpload.name, kind, sha256, ...fileDetails }, put),
    )
  }

  /** Checks the content of a complete upload and calls `store` with what to store. */
  async #accepted<T>(
    { id, name }: PendingUpload,
    kind: FileKind,
    bytes: ReceivedBytes,
    store: (acceptedFile: AcceptedFile) => Promise<T>,
  ): Promise<T> {
    const { pieces } = this.#parts
    const { mime } = fileKinds[kind]
    if (kind === 'vtt') {
      const text = Buffer.from(cleanSubtitles(await bytes.readSlice(0, bytes.size)))
      return this.#withFile(text, (putFile) => store({ bytes: text.length, put: putFile }))
    }
    const putFile = (storedName: string) => pieces.copy(id, storedName, { mime })
    if (kind === 'mp4' || kind === 'webm')
      return store({ bytes: bytes.size, video: await readVideo(bytes, kind, name), put: putFile })
    await assertDocument(bytes, kind, name)
    return store({ bytes: bytes.size, put: putFile })
  }

  /** Writes a text into a temporary file, for the storage to take. */
  async #withFile<T>(text: Buffer, store: (putBytes: AcceptedFile['put']) => Promise<T>): Promise<T> {
    const { dataDir, storage } = this.#parts
    const folder = await mkdtemp(join(dataDir, incomingName, 'upload-'))
    try {
      const file = join(folder, 'received-0')
      await writeFile(file, text, { mode: 0o600 })
      return await store((name) => storage.put(name, file, { mime: fileKinds.vtt.mime }))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
