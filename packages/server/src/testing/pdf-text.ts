/** Reads the texts of PDFs with embedded fonts, by their maps from glyphs to characters. */
import { inflateSync } from 'node:zlib'

const charactersIn = (hex: string): string =>
  (hex.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('')

/** Returns the map of a font from glyphs to the characters that they show. */
function readMap(text: string): Map<string, string> {
  const map = new Map<string, string>()
  for (const [, firstCode = '', , list = ''] of text.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi)) {
    const start = Number.parseInt(firstCode, 16)
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]+)>/gi)].entries())
      map.set((start + index).toString(16).padStart(4, '0'), charactersIn(hex.replaceAll(' ', '')))
  }
  return map
}

/** Returns the objects of a PDF by their numbers, each with its unpacked stream. */
function objectsOf(pdf: Buffer): Map<string, { head: string; stream: string }> {
  const objects = new Map<string, { head: string; stream: string }>()
  const pdfSource = pdf.toString('latin1')
  for (const { 1: number = '', index } of pdfSource.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const end = pdfSource.indexOf('endobj', index)
    const start = pdfSource.indexOf('stream\n', index)
    if (start === -1 || start > end) {
      objects.set(number, { head: pdfSource.slice(index, end), stream: '' })
      continue
    }
    const head = pdfSource.slice(index, start)
    const bytes = pdf.subarray(start + 7, start + 7 + Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0))
    const isPacked = head.includes('/FlateDecode') && !head.includes('/FontFile')
    objects.set(number, { head, stream: isPacked ? inflateSync(bytes).toString('latin1') : '' })
  }
  return objects
}

/**
 * Returns the texts of a PDF as they were drawn, page by page: each line of each paragraph is one text.
 */
export function textOfPdf(pdf: Buffer): string[] {
  const objects = objectsOf(pdf)
  const maps = new Map<string, Map<string, string>>()
  for (const { head } of objects.values())
    for (const [, name = '', number = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const toUnicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(number)?.head ?? '')?.[1]
      if (toUnicode !== undefined) maps.set(name, readMap(objects.get(toUnicode)?.stream ?? ''))
    }
  const texts: string[] = []
  for (const { head } of objects.values()) {
    const contents = /\/Type \/Page\n[\s\S]*\/Contents (\d+) 0 R/.exec(head)?.[1]
    if (contents === undefined) continue
    let map = new Map<string, string>()
    for (const [, font, encodedText = ''] of (objects.get(contents)?.stream ?? '').matchAll(
      /\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g,
    )) {
      if (font !== undefined) map = maps.get(font) ?? new Map<string, string>()
      else {
        const glyphs = [...encodedText.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
        texts.push(glyphs.map((glyph) => map.get(glyph) ?? '\uFFFD').join(''))
      }
    }
  }
  return texts
}
