/**
 * Checks by the content that a file is an xlsx sheet: an archive with a workbook, of bounded size, without
 * macros (checklist §4).
 */
import { fault } from '@dala/model'
import { readArchive, unpackEntry } from '../../../domain/files/archive.ts'
import { declaresMacros, isMacroPart } from '../../../domain/files/macros.ts'

/** Limits of the content of a ZIP archive. */
const limits = {
  entries: 2_000,
  /** Maximum unpacked bytes of all files of an archive together. */
  unpackedLimit: 200 * 1_048_576,
  contents: 1_048_576,
}

const contentTypesEntry = '[Content_Types].xml'
const requiredEntries = [contentTypesEntry, 'xl/workbook.xml']

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
  const unpackedBytes = entries.reduce((sum, { size }) => sum + size, 0)
  const isBounded = unpackedBytes <= limits.unpackedLimit && names.size === entries.length
  const typesEntry = entries.find(({ name }) => name === contentTypesEntry)
  if (
    !isBounded ||
    !typesEntry ||
    typesEntry.size > limits.contents ||
    requiredEntries.some((name) => !names.has(name))
  )
    throw fault('file.not-xlsx')
  let text = ''
  try {
    for (const entry of entries) {
      const unpackedEntry = await unpackEntry(entry, entry === typesEntry)
      if (entry === typesEntry) text = unpackedEntry.toString('utf8')
    }
  } catch {
    throw fault('file.not-xlsx')
  }
  if ([...names].some(isMacroPart) || declaresMacros(text)) throw fault('file.macros')
}
