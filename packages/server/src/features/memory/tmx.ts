/** Writes and reads translation memories in the exchange format TMX 1.4b. */
import { fault, isLocale, type Locale, memoryLimits } from '@dala/model'
import { readXml, xmlText } from './xml.ts'

/** A translation of two segments, with the field that it comes from. */
export interface ExportedPair {
  source: string
  target: string
  /** `news.title`, or the name of the file that brought it. */
  origin: string
}

/** Returns the beginning of a file. */
export const tmxHead = (source: Locale, at: Date): string => `<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
  <header creationtool="Dala" creationtoolversion="1" segtype="sentence" o-tmf="Dala" adminlang="en" srclang="${source}" datatype="plaintext" creationdate="${at.toISOString().replace(/[-:]|\.\d+/g, '')}"/>
  <body>
`

/** Returns one unit of a file. */
export const tmxUnit = (source: Locale, target: Locale, pair: ExportedPair): string => `    <tu>
      <prop type="x-origin">${xmlText(pair.origin)}</prop>
      <tuv xml:lang="${source}"><seg>${xmlText(pair.source)}</seg></tuv>
      <tuv xml:lang="${target}"><seg>${xmlText(pair.target)}</seg></tuv>
    </tu>
`

/** The end of a file. */
export const tmxTail = '  </body>\n</tmx>\n'

/** Texts of one unit of a file by language. */
export type TmxUnit = ReadonlyMap<Locale, string>

/** Elements whose content is markup of the program that made the file. */
const codeElements: ReadonlySet<string> = new Set(['bpt', 'ept', 'it', 'ph', 'ut'])

/** Returns the language of the product that a language tag means: `ru-RU` is `ru`. */
export function localeOfTag(tag: string | undefined): Locale | undefined {
  const [primary = ''] = (tag ?? '').toLowerCase().split(/[-_]/)
  return isLocale(primary) ? primary : undefined
}

/**
 * Reads the units of a file.
 *
 * @param bytes - The file.
 * @returns The texts of each unit; those in other languages are left out.
 * @throws 422 for another file than TMX, and for one with too many units.
 */
export async function readTmx(bytes: Buffer): Promise<TmxUnit[]> {
  const units: TmxUnit[] = []
  let unit: Map<Locale, string> | undefined
  let locale: Locale | undefined
  let segment: string[] | undefined
  let codeDepth = 0
  let isFirst = true
  await readXml(bytes, {
    open: ({ name, attributes }) => {
      if (isFirst && name !== 'tmx') throw fault('memory.format', { params: { format: 'TMX' } })
      isFirst = false
      if (name === 'tu') unit = new Map()
      else if (name === 'tuv') locale = localeOfTag(attributes['xml:lang'] ?? attributes.lang)
      else if (name === 'seg') segment = []
      else if (segment && codeElements.has(name)) codeDepth += 1
    },
    text: (text) => {
      if (segment && codeDepth === 0) segment.push(text)
    },
    close: ({ name }) => {
      if (name === 'seg') {
        const text = segment?.join('').replace(/\s+/g, ' ').trim() ?? ''
        if (unit && locale && text !== '' && !unit.has(locale)) unit.set(locale, text)
        segment = undefined
      } else if (name === 'tu' && unit) {
        if (units.length === memoryLimits.importedUnits)
          throw fault('memory.size', { params: { max: memoryLimits.importedUnits } })
        units.push(unit)
        unit = undefined
      } else if (segment && codeElements.has(name)) codeDepth -= 1
    },
  })
  return units
}
