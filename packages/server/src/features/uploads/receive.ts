/**
 * Reads uploads from the request into temporary files, chunk by chunk and within the limits (checklist §4).
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { fault, maxFiles } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { bodyLimit } from '../../http/json.ts'
import { isBrokenText } from '../../http/text.ts'
import { emitSignal } from '../../signals.ts'
import { ContentCheck } from './content-check.ts'
import { toLabel } from './label.ts'
import { sizeText } from './limits.ts'
import type { ImageKind } from './stored-names.ts'

/** Received picture: a temporary file that is not decoded yet. */
export interface ReceivedFile {
  /** Name of the file's part in the upload form; empty for a raw body. */
  field: string
  /** Cleaned name that the client gave to the uploaded file. */
  label: string
  file: string
  kind: ImageKind
  /** Hash of the received file's bytes, hexadecimal. */
  sha256: string
}

export interface ReceivedForm {
  /** Values of the text parts of an upload's form by name, in order. */
  fields: ReadonlyMap<string, readonly string[]>
  files: readonly ReceivedFile[]
}

export interface ReceiveOptions {
  /** Folder for the temporary files of uploads; the function that creates the folder removes it. */
  folder: string
  /** Maximum bytes of one received file. */
  fileBytes: number
}

const maxFields = 40

/** Whether the client of an upload disconnected or its form was truncated. */
const isCutOff = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

const tooLargeFault = (bytes: number) => fault('upload.file-too-large', { params: { size: sizeText(bytes) } })

type SavedFile = Pick<ReceivedFile, 'kind' | 'sha256'>

/**
 * Writes the stream of an upload into a new file.
 *
 * @returns The kind of the file and the hash of its bytes; undefined for an empty stream.
 * @throws 413 and 400.
 */
async function saveFile(
  source: AsyncIterable<Buffer>,
  file: string,
  fileBytes: number,
): Promise<SavedFile | undefined> {
  const fileHandle = await open(file, 'wx', 0o600)
  const contentCheck = new ContentCheck()
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > fileBytes) throw tooLargeFault(fileBytes)
      contentCheck.see(chunk)
      hash.update(chunk)
      await fileHandle.writeFile(chunk)
    }
  } catch (error) {
    throw isCutOff(error) ? fault('request.body') : error
  } finally {
    emitSignal('upload', { way: 'form', bytes })
    await fileHandle.close()
  }
  return bytes === 0 ? undefined : { kind: contentCheck.end(), sha256: hash.digest('hex') }
}

function assertLength({ headers }: FastifyRequest, maxLength: number, fileBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxLength) throw tooLargeFault(fileBytes)
}

/**
 * Reads a request body that is one picture, named by `?name=`.
 *
 * @throws 400 `Files are empty`, 400 and 413.
 */
export async function receiveImage(
  request: FastifyRequest,
  name: unknown,
  { folder, fileBytes }: ReceiveOptions,
): Promise<ReceivedFile> {
  assertLength(request, fileBytes, fileBytes)
  const file = join(folder, 'received-0')
  // `destroyOnReturn: false` leaves the connection open, so that a refusal in the middle of an upload is
  // answered.
  const savedFile = await saveFile(request.raw.iterator({ destroyOnReturn: false }), file, fileBytes)
  if (!savedFile) throw fault('upload.empty')
  return { field: '', label: toLabel(name), file, ...savedFile }
}

function openParser({ headers }: FastifyRequest): BusboyInstance {
  try {
    const limits = { fieldSize: bodyLimit, fields: maxFields, files: maxFiles, headerPairs: 20, headerSize: 8_192 }
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits })
  } catch {
    throw fault('request.body')
  }
}

/**
 * Reads a multipart form of an upload and skips file parts that `takes` does not accept.
 *
 * @throws 400 for more than ten files, for a file that is no picture and for a broken form; 413 for a file
 * that is too large. Reading stops then, and every temporary file is closed.
 */
export async function receiveForm(
  request: FastifyRequest,
  takesField: (field: string) => boolean,
  { folder, fileBytes }: ReceiveOptions,
): Promise<ReceivedForm> {
  assertLength(request, maxFiles * fileBytes + bodyLimit, fileBytes)
  const source = request.raw
  const parser = openParser(request)
  const fields = new Map<string, string[]>()
  const files: Promise<ReceivedFile | undefined>[] = []
  const openStreams = new Set<Readable>()
  const { promise: formEnd, resolve: end, reject } = Promise.withResolvers<void>()
  let failure: Error | undefined
  const failForm = (error: unknown) => {
    failure ??= error instanceof Error ? error : new Error('The form could not be read')
    reject(failure)
  }

  parser.on('field', (name: string | undefined, value, _nameTruncated, valueTruncated) => {
    if (valueTruncated) failForm(fault('request.too-large'))
    else if (isBrokenText(value)) failForm(fault('request.text'))
    else if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), value])
  })
  parser.on('file', (field: string | undefined, stream: Readable, filename: string | undefined) => {
    openStreams.add(stream)
    stream.on('error', () => {})
    if (field === undefined || !takesField(field)) {
      let bytes = 0
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > fileBytes) failForm(tooLargeFault(fileBytes))
      })
      return
    }
    const file = join(folder, `received-${files.length}`)
    const savingCall = saveFile(stream, file, fileBytes).then(
      (fileDetails) => fileDetails && { field, label: toLabel(filename), file, ...fileDetails },
    )
    files.push(
      savingCall.catch((error: unknown) => {
        failForm(error)
        return undefined
      }),
    )
  })
  parser.on('filesLimit', () => failForm(fault('upload.too-many-files', { params: { count: maxFiles } })))
  parser.on('fieldsLimit', () => failForm(fault('request.too-many-keys')))
  parser.on('error', () => failForm(fault('request.body')))
  parser.on('finish', end)
  const handleClose = () => {
    if (!source.readableEnded) failForm(fault('request.body'))
  }
  source.on('close', handleClose)
  source.pipe(parser)
  try {
    await formEnd
    const receivedFiles = (await Promise.all(files)).filter((file) => file !== undefined)
    // The last file of an upload may be refused after the form has ended.
    if (failure) throw failure
    return { fields, files: receivedFiles }
  } catch (error) {
    source.unpipe(parser)
    for (const stream of openStreams) stream.destroy()
    throw error
  } finally {
    source.off('close', handleClose)
    await Promise.all(files)
  }
}
