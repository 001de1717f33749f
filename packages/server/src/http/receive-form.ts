/** Reads a form with one file and a few texts from a request, within limits (checklist §4). */
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { type ErrorCode, fault } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { isBrokenText } from './text.ts'

const maxFieldBytes = 1_024

export interface FormLimits {
  /** Maximum size of the file. */
  fileBytes: number
  /** Error of a second file. */
  secondFile: ErrorCode
}

export interface ReceivedForm {
  texts: ReadonlyMap<string, string>
  /** Uploaded file of the form; undefined when the form has none. */
  file: { name: string; bytes: Buffer } | undefined
}

function openParser({ headers }: FastifyRequest, fileBytes: number) {
  try {
    const limits = { fieldSize: maxFieldBytes, fields: 10, files: 1, fileSize: fileBytes + 1, headerPairs: 20 }
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits })
  } catch {
    throw fault('request.body')
  }
}

/**
 * Reads the parts of a form.
 *
 * @param request - The request, whose route takes the body `parts`.
 * @param limits - The limits of the form.
 * @returns The texts and the file.
 * @throws 413 for a file above its limit, the given error for a second file, 400 for a broken form.
 */
export async function receiveForm(request: FastifyRequest, limits: FormLimits): Promise<ReceivedForm> {
  if (Number(request.headers['content-length'] ?? 0) > limits.fileBytes + 65_536) throw fault('request.too-large')
  const source = request.raw
  const parser = openParser(request, limits.fileBytes)
  const texts = new Map<string, string>()
  let file: { name: string; chunks: Buffer[]; bytes: number } | undefined
  const { promise: parserEnd, resolve: end, reject } = Promise.withResolvers<void>()

  parser.on('field', (name: string | undefined, value, _nameTruncated, isTruncated) => {
    if (isTruncated || isBrokenText(value)) reject(fault('request.text'))
    else if (name !== undefined) texts.set(name, value)
  })
  parser.on('file', (field: string | undefined, stream: Readable, name: string | undefined) => {
    stream.on('error', () => {})
    if (field !== 'files') return stream.resume()
    const receivedFile = { name: name ?? '', chunks: [] as Buffer[], bytes: 0 }
    file = receivedFile
    return stream.on('data', (chunk: Buffer) => {
      receivedFile.bytes += chunk.length
      if (receivedFile.bytes > limits.fileBytes) reject(fault('request.too-large'))
      else receivedFile.chunks.push(chunk)
    })
  })
  parser.on('filesLimit', () => reject(fault(limits.secondFile)))
  parser.on('fieldsLimit', () => reject(fault('request.too-many-keys')))
  parser.on('error', () => reject(fault('request.body')))
  parser.on('finish', end)
  const handleClose = () => {
    if (!source.readableEnded) reject(fault('request.body'))
  }
  source.on('close', handleClose)
  source.pipe(parser)
  try {
    await parserEnd
  } finally {
    source.unpipe(parser)
    source.off('close', handleClose)
  }
  const hasFile = file !== undefined && file.bytes > 0
  return { texts, file: hasFile && file ? { name: file.name, bytes: Buffer.concat(file.chunks) } : undefined }
}
