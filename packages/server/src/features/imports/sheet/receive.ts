/** Reads the form of an import from the request: one sheet and a few texts, within limits (checklist §4). */
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { fault } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { isBrokenText } from '../../../http/text.ts'

/** Maximum size of a sheet (market §5). */
const maxSheetBytes = 10 * 1_048_576
const maxFieldBytes = 1_024
const maxFormBytes = maxSheetBytes + 65_536

export interface ReceivedSheet {
  texts: ReadonlyMap<string, string>
  /** Uploaded file of the import form; undefined when the form has none. */
  file: { name: string; bytes: Buffer } | undefined
}

function openParser({ headers }: FastifyRequest) {
  try {
    const limits = { fieldSize: maxFieldBytes, fields: 10, files: 1, fileSize: maxSheetBytes + 1, headerPairs: 20 }
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits })
  } catch {
    throw fault('request.body')
  }
}

/**
 * Reads the parts of the form of an import.
 *
 * @throws 413 for a sheet above 10 MB, 422 for a second file, 400 for a broken form.
 */
export async function receiveSheet(request: FastifyRequest): Promise<ReceivedSheet> {
  if (Number(request.headers['content-length'] ?? 0) > maxFormBytes) throw fault('request.too-large')
  const source = request.raw
  const parser = openParser(request)
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
      if (receivedFile.bytes > maxSheetBytes) reject(fault('request.too-large'))
      else receivedFile.chunks.push(chunk)
    })
  })
  parser.on('filesLimit', () => reject(fault('file.not-xlsx')))
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
