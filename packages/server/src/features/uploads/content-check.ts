/** What a file is by its content, and whether it is something else besides (checklist §4, polyglots). */
import { fault } from '@dala/model'
import type { ImageKind } from './stored-names.ts'

/** Bytes of the longest signature below. */
const headLength = 12
/** PDF readers look for their mark in so many bytes. */
const pdfLength = 1_024
/** The end record of a ZIP archive and the longest comment behind it. */
const endRecord = 22
const tailLength = 65_535 + endRecord
/** Marks may lie across two chunks. */
const overlap = 16

// A page, a script, an archive: found anywhere, because readers of those begin wherever their mark is. What phones put
// behind a picture (a film, a depth map) has none of these marks; it is not refused, and it does not survive decoding.
const pageMarks = /<(?:script|html|svg|iframe|!doctype|\?php)[\s/>]/i
const archiveMarks = ['Rar!\x1a\x07', '7z\xbc\xaf\x27\x1c']
const pdfMark = '%PDF-'

/** The kind of picture that begins with these bytes; undefined for anything else. */
function kindOfHead(head: Buffer): ImageKind | undefined {
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return 'webp'
  return undefined
}

/** Whether these last bytes of a file are the end of a ZIP archive: its comment reaches exactly to the end. */
function endsAsArchive(tail: Buffer): boolean {
  for (let at = tail.lastIndexOf('PK\x05\x06'); at >= 0; at = at > 0 ? tail.lastIndexOf('PK\x05\x06', at - 1) : -1) {
    if (at + endRecord <= tail.length && at + endRecord + tail.readUInt16LE(at + 20) === tail.length) return true
  }
  return false
}

/** Looks at a file chunk by chunk while it comes in. */
export class ContentCheck {
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)
  #before = ''

  /** Takes the next chunk. Throws 400 as soon as it is clear that this is no picture, or not only one. */
  see(chunk: Buffer): void {
    if (this.#head.length < pdfLength) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, pdfLength)]).subarray(0, pdfLength)
      if (this.#head.length >= headLength && !kindOfHead(this.#head)) throw fault('upload.type')
      if (this.#head.includes(pdfMark)) throw fault('upload.type')
    }
    const text = this.#before + chunk.toString('latin1')
    if (pageMarks.test(text) || archiveMarks.some((mark) => text.includes(mark))) throw fault('upload.type')
    this.#before = text.slice(-overlap)
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-tailLength)
  }

  /** What the whole file is. Throws 400 when it is no picture of a known kind. */
  end(): ImageKind {
    const kind = kindOfHead(this.#head)
    if (!kind || endsAsArchive(this.#tail)) throw fault('upload.type')
    return kind
  }
}
