/**
 * Detects the format of a file by its content, and whether the file has another format as well (checklist §4,
 * polyglots).
 */
import { fault } from '@dala/model'
import type { ImageKind } from './stored-names.ts'

/** Length in bytes of the longest signature of a picture. */
const headLength = 12
/** Number of bytes at the start of a file in which PDF readers look for their signature. */
const pdfLength = 1_024
/** Size of the end record of a ZIP archive. */
const endRecord = 22
const tailLength = 65_535 + endRecord
/** Number of bytes that consecutive chunks share, because a signature may span two of them. */
const overlapBytes = 16

// Pattern of signatures of a page, a script or an archive, which are refused anywhere in the file, because
// readers of those formats start at them. Data that phones append to a picture (a film, a depth map) has none
// of them; it is accepted and lost in decoding.
const pageMarks = /<(?:script|html|svg|iframe|!doctype|\?php)[\s/>]/i
const archiveMarks = ['Rar!\x1a\x07', '7z\xbc\xaf\x27\x1c']
const pdfMark = '%PDF-'

/** Returns the kind of picture that the first bytes of a file show; undefined for anything else. */
function kindOfHead(head: Buffer): ImageKind | undefined {
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return 'webp'
  return undefined
}

/**
 * Tells whether the last bytes of a file are the end of a ZIP archive, whose comment reaches exactly to the
 * end of the file.
 */
function endsAsArchive(tail: Buffer): boolean {
  for (
    let recordStart = tail.lastIndexOf('PK\x05\x06');
    recordStart >= 0;
    recordStart = recordStart > 0 ? tail.lastIndexOf('PK\x05\x06', recordStart - 1) : -1
  ) {
    if (
      recordStart + endRecord <= tail.length &&
      recordStart + endRecord + tail.readUInt16LE(recordStart + 20) === tail.length
    )
      return true
  }
  return false
}

/** Checks a file chunk by chunk while it arrives. */
export class ContentCheck {
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)
  #before = ''

  /**
   * Checks the next chunk of an uploaded file.
   *
   * @throws 400 as soon as the file is no picture, or not only a picture.
   */
  see(chunk: Buffer): void {
    if (this.#head.length < pdfLength) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, pdfLength)]).subarray(0, pdfLength)
      if (this.#head.length >= headLength && !kindOfHead(this.#head)) throw fault('upload.type')
      if (this.#head.includes(pdfMark)) throw fault('upload.type')
    }
    const text = this.#before + chunk.toString('latin1')
    if (pageMarks.test(text) || archiveMarks.some((mark) => text.includes(mark))) throw fault('upload.type')
    this.#before = text.slice(-overlapBytes)
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-tailLength)
  }

  /**
   * Returns the kind of an uploaded file after its last chunk.
   *
   * @throws 400 for a file that is no picture of a known kind.
   */
  end(): ImageKind {
    const kind = kindOfHead(this.#head)
    if (!kind || endsAsArchive(this.#tail)) throw fault('upload.type')
    return kind
  }
}
