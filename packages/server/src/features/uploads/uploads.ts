/** Stores files together with their records: either both exist or neither does (checklist §4). */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caller, fault, type VideoDetails } from '@dala/model'
import type { Database } from '../../db/database.ts'
import type { View } from '../../resources/attributes.ts'
import type { Author } from '../../resources/history/history.ts'
import { parseSingleQuery } from '../../resources/read/parse-query.ts'
import { flattenEntry, readSingleRecord } from '../../resources/read/read.ts'
import type { FlatEntry } from '../../resources/read/read-rows.ts'
import { removeEntry } from '../../resources/write/remove.ts'
import { createEntry, updateEntry, type WriteContext, withDeadlockRetry } from '../../resources/write/write.ts'
import { fileResource } from './access.ts'
import { describeFile, describeReceivedFile, filesOf, type NamedFile, shownLinks, toDraft } from './file-record.ts'
import type { UploadSettings } from './limits.ts'
import { picturesOf, type ProcessedImage, processImage } from './process-image.ts'
import { assertDiskSpace, assertQuota, RunningUploads } from './quota.ts'
import type { ReceivedFile, ReceiveOptions } from './receive.ts'
import type { FileStorage } from './storage/storage.ts'
import { type FileKind, fileKinds, newHash } from './stored-names.ts'
import { moveFiles, type Removal, removeUnusedFiles } from './bulk-files.ts'
import { assertReplaceableFile } from './uses.ts'

type Draft = Record<string, unknown>

/** Decoded picture with its label, ready to be stored. */
export interface ReadyFile {
  label: string
  image: ProcessedImage
  sha256: string
}

/** Uploaded file that is stored as it was received. */
interface ReceivedDetails {
  label: string
  kind: FileKind
  sha256: string
  bytes: number
  video?: VideoDetails
}

export interface UploadParts {
  database: Database
  storage: FileStorage
  dataDir: string
  limits: UploadSettings
  /** Receives errors of files that could not be removed; the sweep removes them later. */
  warnOf: (error: unknown, message: string) => void
}

/** Name of the folder of unfinished uploads, beside the files, so that a finished one moves with a rename. */
export const incomingName = 'incoming'

/** Uploads files: writes each file and its record together. */
export class Uploads {
  readonly #parts: UploadParts
  readonly #places = new RunningUploads()
  readonly #resource = fileResource()

  constructor(parts: UploadParts) {
    this.#parts = parts
  }

  /**
   * Runs one upload: `work` reads the request into a temporary folder, which is deleted afterwards in any
   * case.
   *
   * @param user - The user who uploads.
   * @param runTask - Reads the request.
   * @returns The result of `work`.
   * @throws 429 when ten uploads of the user are running, 507 when the disk is nearly full.
   */
  receive<T>(user: number, runTask: (receiveOptions: ReceiveOptions) => Promise<T>): Promise<T> {
    const { dataDir, limits } = this.#parts
    return this.#places.take(user, async () => {
      await assertDiskSpace(dataDir, limits)
      await mkdir(join(dataDir, incomingName), { recursive: true, mode: 0o700 })
      const folder = await mkdtemp(join(dataDir, incomingName, 'upload-'))
      try {
        return await runTask({ folder, fileBytes: limits.fileBytes })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  /**
   * Decodes received pictures.
   *
   * @throws 400 for the first file that is refused; nothing is stored then.
   */
  async decode(receivedFiles: readonly ReceivedFile[], { folder }: ReceiveOptions): Promise<ReadyFile[]> {
    const readyFiles: ReadyFile[] = []
    for (const { file, kind, label, sha256 } of receivedFiles) {
      const path = join(folder, randomUUID())
      await mkdir(path)
      readyFiles.push({ label, sha256, image: await processImage(file, kind, path) })
      await rm(file)
    }
    return readyFiles
  }

  /**
   * Reads a flat record of a file that the caller may see.
   *
   * @throws 404.
   */
  async read(caller: Caller, view: View, id: number): Promise<FlatEntry> {
    const record = await readSingleRecord(
      this.#parts.database,
      parseSingleQuery({ populate: shownLinks(caller) }, this.#resource, caller, view, id),
    )
    if (!record) throw fault('file.not-found')
    return flattenEntry(record)
  }

  /**
   * Stores new files with their records.
   *
   * @param author - The author.
   * @param files - The decoded files.
   * @param infos - The details of each file.
   * @returns The ids of their records, in order.
   * @throws 413 beyond the quota, 400 for invalid details; nothing is stored then.
   */
  store(author: Author, files: readonly ReadyFile[], infos: readonly Draft[]): Promise<number[]> {
    return this.#inTurn(author, files, async () => {
      const ids: number[] = []
      try {
        for (const [index, { label, image, sha256 }] of files.entries()) {
          const { files: namedFiles, fields } = describeFile(image, newHash(), label, this.#parts.storage.provider)
          const draft = { name: label, ...toDraft(infos[index] ?? {}), ...fields, sha256, owner: author.caller.id }
          ids.push(
            await this.#withFiles(namedFiles, () =>
              createEntry(this.#context(author), this.#resource, draft, undefined),
            ),
          )
        }
      } catch (error) {
        await this.discard(author, ids)
        throw error
      }
      return ids
    })
  }

  /**
   * Reserves space for an upload that arrives in pieces.
   *
   * @param user - The user who uploads.
   * @param bytes - The size of the file.
   * @param areVideos - Whether the quota of videos applies.
   * @param begin - Makes the row that counts towards the quota from then on.
   * @returns The result of `begin`.
   * @throws 413 beyond the quota, 507 when the disk has no place for it.
   */
  reserve<T>(user: number, bytes: number, areVideos: boolean, begin: () => Promise<T>): Promise<T> {
    const { database, dataDir, limits, storage } = this.#parts
    return this.#places.inTurn(user, async () => {
      // An upload to an object store has only the piece of a request on the disk.
      const neededBytes = storage.provider === 'local' ? bytes : 0
      await assertDiskSpace(dataDir, { ...limits, reserveBytes: limits.reserveBytes + neededBytes })
      await assertQuota(database, user, { files: 1, bytes, areVideos }, limits)
      return begin()
    })
  }

  /**
   * Stores a file as it was received, with its record. Its space was reserved before.
   *
   * @param author - The author.
   * @param file - The file.
   * @param putFile - Stores its bytes under a name.
   * @returns The id of its record; nothing is stored when this throws.
   */
  async storeReceived(
    author: Author,
    { label, sha256, ...file }: ReceivedDetails,
    putFile: (name: string) => Promise<void>,
  ): Promise<number> {
    const hash = newHash()
    const fields = describeReceivedFile(file, hash, this.#parts.storage.provider)
    const draft = { name: label, ...fields, sha256, owner: author.caller.id }
    const name = `${hash}${fileKinds[file.kind].ext}`
    try {
      await putFile(name)
      return await createEntry(this.#context(author), this.#resource, draft, undefined)
    } catch (error) {
      await this.#removeFiles([name])
      throw error
    }
  }

  /**
   * Removes the files of an upload whose purpose has failed. Nobody has seen these files, so their bytes are
   * deleted immediately, without the trash.
   */
  async discard(author: Author, ids: readonly number[]): Promise<void> {
    const resourceWithoutTrash = { ...this.#resource, noTrash: true } as const
    for (const id of ids) {
      try {
        const { url, formats } = await this.read(author.caller, {}, id)
        await removeEntry(this.#context(author), resourceWithoutTrash, id, false)
        await this.#removeFiles(filesOf({ url, formats }))
      } catch (error) {
        this.#parts.warnOf(error, 'upload was not taken back')
      }
    }
  }

  /**
   * Changes the details of a file, and its picture when there is a new one. The former address then leads to
   * the new picture.
   *
   * @throws 404 outside the view's rows; 409 when the picture is used where its owner may not replace it.
   */
  async update(author: Author, view: View, id: number, infoDraft: Draft, file?: ReadyFile): Promise<void> {
    const currentFile = await this.read(author.caller, view, id)
    const draft = toDraft(infoDraft, currentFile)
    const context = this.#context(author, view)
    if (!file) {
      await updateEntry(context, this.#resource, id, draft)
      return
    }
    await this.#inTurn(author, [file], async () => {
      const label = typeof draft.name === 'string' ? draft.name : String(currentFile.name)
      const { files: namedFiles, fields } = describeFile(file.image, newHash(), label, this.#parts.storage.provider)
      // Original and crop of the former picture do not apply to the picture that replaces it.
      const cropFields = { original: infoDraft.original ?? null, crop: infoDraft.crop ?? null }
      const changedDraft = { ...draft, ...fields, ...cropFields, sha256: file.sha256 }
      await this.#withFiles(namedFiles, () =>
        withDeadlockRetry(this.#parts.database, async (trx) => {
          await assertReplaceableFile(trx, author.caller, id)
          await updateEntry({ ...context, trx }, this.#resource, id, changedDraft)
        }),
      )
    })
    await this.#removeFiles(filesOf({ url: currentFile.url, formats: currentFile.formats }))
  }

  /**
   * Moves a record into the trash and deletes the links to it. The sweep deletes its bytes once it can no
   * longer be restored.
   *
   * @throws 404; 409 for a required link to it.
   */
  remove(author: Author, view: View, id: number): Promise<void> {
    return removeEntry(this.#context(author, view), this.#resource, id, false)
  }

  /** Moves the unused files of a list into the trash; see `removeUnusedFiles`. */
  removeUnused(author: Author, view: View, ids: readonly number[]): Promise<Removal> {
    return removeUnusedFiles(this.#context(author, view), this.#resource, ids)
  }

  /** Moves files into a folder, or out of it; see `moveFiles`. */
  move(author: Author, view: View, ids: readonly number[], folder: string | null): Promise<void> {
    return moveFiles(this.#context(author, view), this.#resource, ids, folder)
  }

  /** Creates a trusted write context: records of files are made by the server, not from a request body. */
  #context(author: Author, view: View = {}): WriteContext {
    return { database: this.#parts.database, author, view, isTrusted: true, boundLinks: true }
  }

  /** Runs a write of files after other writes of the same user, when there is space for the added files. */
  #inTurn<T>(author: Author, files: readonly ReadyFile[], runTask: () => Promise<T>): Promise<T> {
    const { database, limits } = this.#parts
    const user = author.caller.id
    const bytes = files.flatMap(({ image }) => picturesOf(image)).reduce((sum, picture) => sum + picture.bytes, 0)
    return this.#places.inTurn(user, async () => {
      await assertQuota(database, user, { files: files.length, bytes }, limits)
      return runTask()
    })
  }

  /** Stores files, then writes the row that names them; without a row they are deleted again. */
  async #withFiles<T>(files: readonly NamedFile[], write: () => Promise<T>): Promise<T> {
    const { storage } = this.#parts
    const storedNames: string[] = []
    try {
      for (const { name, file, mime } of files) {
        storedNames.push(name)
        await storage.put(name, file, { mime })
      }
      return await write()
    } catch (error) {
      await this.#removeFiles(storedNames)
      throw error
    }
  }

  /**
   * Removes files. A file that cannot be removed now is left for the sweep: its record is deleted already, as
   * requested.
   */
  async #removeFiles(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#parts.storage
        .remove(name)
        .catch((error: unknown) => this.#parts.warnOf(error, 'file was not removed'))
    }
  }
}
