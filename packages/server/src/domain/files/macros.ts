/** Finds macros in office files by their content, whatever their names say (checklist §4). */
import { type ArchiveEntry, readArchive, unpackEntry } from './archive.ts'

/** Limits of an archive, including the archives inside it. */
const archiveLimits = {
  entries: 10_000,
  /** Maximum unpacked bytes that are looked at: lists of contents and embedded objects. */
  unpackedBytes: 64 * 1_048_576,
  /** Maximum depth of archives inside archives. */
  depth: 2,
}

/** Signature of an OLE file: documents of Word 97 to 2003, VBA projects and embedded objects. */
const oleMark = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const archiveMark = Buffer.from('PK\x03\x04', 'latin1')
/** Names of streams in which OLE files store VBA; a directory of OLE has its names in UTF-16. */
const vbaStreams = ['_VBA_PROJECT', 'VBA_PROJECT_CUR'].map((name) => Buffer.from(name, 'utf16le'))

// Parts of Open XML: projects of VBA, and sheets with macros of Excel 4. Parts of OpenDocument: libraries of
// Basic, and scripts in other languages.
const macroParts = /vbaProject|vbaData|macrosheets\/|(?:^|\/)(?:Basic|Scripts)\//i
const macroContents = /macroEnabled|vbaProject/i
/** Parts that list the kinds of the other parts. */
const listingPattern = /^(?:\[Content_Types\]\.xml|META-INF\/manifest\.xml)$/
// Embedded objects of Open XML, and those of OpenDocument, which have no folder and no extension.
const embeddedPattern = /(?:^|\/)embeddings\/|(?:^|\/)(?:Object|ObjectReplacements)[^/]*$/i

/** Whether a part of an office file with this name contains macros. */
export const isMacroPart = (name: string): boolean => macroParts.test(name)

/** Whether the list of contents of an Open XML file declares macros. */
export const declaresMacros = (contents: string): boolean => macroContents.test(contents)

/**
 * Result of an inspection: `unreadable` is an archive whose directory contradicts its bytes, or that unpacks
 * into too much.
 */
export type MacroFinding = 'none' | 'macros' | 'unreadable'

/**
 * Looks for macros in a document, and in the documents inside it.
 *
 * @param bytes - The whole file.
 */
export async function findMacros(bytes: Buffer): Promise<MacroFinding> {
  return inspectFile(bytes, { left: archiveLimits.unpackedBytes }, 0)
}

async function inspectFile(bytes: Buffer, budget: { left: number }, depth: number): Promise<MacroFinding> {
  if (bytes.subarray(0, oleMark.length).equals(oleMark))
    return vbaStreams.some((stream) => bytes.includes(stream)) ? 'macros' : 'none'
  if (!bytes.subarray(0, archiveMark.length).equals(archiveMark)) return 'none'
  if (depth > archiveLimits.depth) return 'unreadable'
  const entries = readArchive(bytes, archiveLimits.entries)
  if (!entries) return 'unreadable'
  if (entries.some(({ name }) => isMacroPart(name))) return 'macros'
  for (const entry of entries) {
    const finding = await inspectEntry(entry, budget, depth)
    if (finding !== 'none') return finding
  }
  return 'none'
}

async function inspectEntry(entry: ArchiveEntry, budget: { left: number }, depth: number): Promise<MacroFinding> {
  const isListing = listingPattern.test(entry.name)
  if (!isListing && !embeddedPattern.test(entry.name)) return 'none'
  budget.left -= entry.size
  if (budget.left < 0) return 'unreadable'
  const content = await unpackEntry(entry, true).catch(() => undefined)
  if (!content) return 'unreadable'
  if (isListing) return declaresMacros(content.toString('utf8')) ? 'macros' : 'none'
  return inspectFile(content, budget, depth + 1)
}
