/**
 * Checks by the content that a file is an xlsx sheet: an archive with a workbook, of bounded size, without
 * macros (checklist §4).
 */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { fault } from '@dala/model'
import { type ArchiveEntry, readArchive } from './archive.ts'

/** Limits of the content of a ZIP archive. */
const limits = {
  entries: 2_000,
  /** Maximum unpacked bytes of all files of an archive together. */
  unpacked: 200 * 1_048_576,
  contents: 1_048_576,
}

const contents = '[Content_Types].xml'
const required = [contents, 'xl/workbook.xml']
const macros = /vbaProject|vbaData|macrosheets\//i
const macroContents = /macroEnabled|vbaProject/i

/**
 * Unpacks one file of a ZIP archive outside the main thread.
 *
 * @param entry - The file as the archive lists it.
 * @param keep - Whether the bytes are needed.
 * @returns The unpacked bytes; empty when they are not needed.
 * @throws When the file is broken, or has another size than the archive states.
 */
async function unpack({ packed, method, size }: ArchiveEntry, keep: boolean): Promise<Buffer> {
  const chunks: Buffer[] = []
  let seen = 0
  const count = new Writable({
    write(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (keep) chunks.push(chunk)
      done(seen > size ? new Error('The file is larger than its archive says') : null)
    },
  })
  if (method === 'stored') count.end(packed)
  else await pipeline([packed], createInflateRaw(), count)
  if (method === 'deflated' && seen !== size) throw new Error('The file is smaller than its archive says')
  return method === 'stored' && keep ? packed : Buffer.concat(chunks)
}

/**
 * Checks that a file is a sheet. Its statements are compared with its bytes before they are used: the effort
 * is bounded by the real size and by the limits, never by a stated number.
 *
 * @param bytes - The whole file.
 * @throws `file.not-xlsx` for anything but a sheet, `file.macros` for a sheet with macros.
 */
export async function assertSheet(bytes: Buffer): Promise<void> {
  const entries = readArchive(bytes, limits.entries)
  if (!entries) throw fault('file.not-xlsx')
  const names = new Set(entries.map(({ name }) => name))
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0)
  const isBounded = unpacked <= limits.unpacked && names.size === entries.length
  const listed = entries.find(({ name }) => name === contents)
  if (!isBounded || !listed || listed.size > limits.contents || required.some((name) => !names.has(name)))
    throw fault('file.not-xlsx')
  let text = ''
  try {
    for (const entry of entries) {
      const unpackedEntry = await unpack(entry, entry === listed)
      if (entry === listed) text = unpackedEntry.toString('utf8')
    }
  } catch {
    throw fault('file.not-xlsx')
  }
  if ([...names].some((name) => macros.test(name)) || macroContents.test(text)) throw fault('file.macros')
}
