/** Whether a file is an xlsx sheet by its content: an archive with a workbook, of bounded size, without macros (checklist §4). */
import { fault } from '@dala/model'
import { unzipSync } from 'fflate'

/** What an archive may hold; nothing but its list of contents is unpacked here. */
const limits = {
  entries: 2_000,
  /** Bytes of all files in it together, unpacked. */
  unpacked: 200 * 1_048_576,
  contents: 1_048_576,
}

const contents = '[Content_Types].xml'
const required = [contents, 'xl/workbook.xml']
const macros = /vbaProject|vbaData|macrosheets\//i
const macroContents = /macroEnabled|vbaProject/i

/** Throws 422 for anything but a sheet, and for one with macros. */
export function assertSheet(bytes: Buffer): void {
  // An archive may begin anywhere in a file; a sheet begins with it.
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') throw fault('file.not-xlsx')
  const names = new Set<string>()
  let unpacked = 0
  let unpackedContents: Uint8Array | undefined
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.add(name)
        unpacked += originalSize
        if (names.size > limits.entries || unpacked > limits.unpacked) throw fault('file.not-xlsx')
        return name === contents && originalSize <= limits.contents
      },
    })
    unpackedContents = files[contents]
  } catch {
    throw fault('file.not-xlsx')
  }
  if (!unpackedContents || required.some((name) => !names.has(name))) throw fault('file.not-xlsx')
  const listed = Buffer.from(unpackedContents).toString('utf8')
  if ([...names].some((name) => macros.test(name)) || macroContents.test(listed)) throw fault('file.macros')
}
