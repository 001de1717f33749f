/** Checks that a document is what its name says, by its content. */
import { fault } from '@dala/model'
import { findMacros } from '../../../domain/files/macros.ts'
import type { FileKind } from '../stored-names.ts'
import type { ReceivedBytes } from './received-bytes.ts'
import { webStream } from './web-stream.ts'

// Control characters that no text file has: all except tabs and the ends of lines and pages.
const binaryPattern = /(?![\t\n\f\r])\p{Cc}/u

async function isText({ stream }: ReceivedBytes): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const source = await stream()
  try {
    for await (const chunk of source as AsyncIterable<Buffer>)
      if (binaryPattern.test(decoder.decode(chunk, { stream: true }))) return false
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  } finally {
    source.destroy()
  }
}

let lastInspection: Promise<unknown> = Promise.resolve()

/** Reads whole documents one after the other, so that the memory for them is bounded by the largest one. */
function inspectInTurn(bytes: ReceivedBytes) {
  const inspection = lastInspection.then(async () => {
    const { buffer, byteOffset, byteLength } = await bytes.readSlice(0, bytes.size)
    return findMacros(Buffer.from(buffer, byteOffset, byteLength))
  })
  lastInspection = inspection.catch(() => undefined)
  return inspection
}

/**
 * Checks the content of an uploaded document.
 *
 * @param bytes - The received file.
 * @param kind - The kind that its name says.
 * @param name - Its name, for the refusal.
 * @throws 422 `upload.macros` for an office file with macros, whatever its name says; `upload.content` for a
 *   file of another kind. A text file must be text in UTF-8.
 */
export async function assertDocument(bytes: ReceivedBytes, kind: FileKind, name: string): Promise<void> {
  const { fileTypeFromStream } = await import('file-type')
  const source = await bytes.stream()
  const chunks = webStream(source)
  const foundType = await fileTypeFromStream(chunks).finally(() => source.destroy())
  const isPacked = foundType !== undefined && foundType.mime !== 'application/pdf'
  const packedFinding = isPacked ? await inspectInTurn(bytes) : 'none'
  if (packedFinding === 'macros') throw fault('upload.macros', { params: { name } })
  const isPlain = kind === 'txt' || kind === 'csv'
  const isRight = isPlain ? foundType === undefined && (await isText(bytes)) : foundType?.ext === kind
  if (!isRight || packedFinding === 'unreadable') throw fault('upload.content', { params: { name } })
}
