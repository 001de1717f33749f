/** Writes and reads texts to translate in the exchange format XLIFF 2.1. */
import { fault, type Locale, memoryLimits } from '@dala/model'
import { type InlinePart, codesOf } from './rich-units.ts'
import { localeOfTag } from './tmx.ts'
import { childrenOf, readXmlTree, type XmlElement, xmlText } from './xml.ts'

/** Namespace of XLIFF 2.0 and 2.1. */
const namespace = 'urn:oasis:names:tc:xliff:document:2.0'

/** A text to translate. */
export interface WorkUnit {
  /** `title`, or `content-2` for a block of a rich text. */
  id: string
  /** Name of the field, as translators read it. */
  name: string
  notes: readonly string[]
  source: readonly InlinePart[]
  /** The present translation, which is outdated. */
  target: readonly InlinePart[] | undefined
}

/** The texts of one record. */
export interface WorkFile {
  id: string
  /** The record, digests of its texts, and the state of its source: `news/12/<source>/<target>/<changes>`. */
  original: string
  name: string
  units: readonly WorkUnit[]
}

const isEmptyText = (part: InlinePart) => part.kind === 'text' && part.text === ''

function inlineXml(parts: readonly InlinePart[]): string {
  return parts
    .filter((part) => !isEmptyText(part))
    .map((part) => {
      if (part.kind === 'text') return xmlText(part.text)
      if (part.kind === 'code') return `<ph id="${part.id}" dataRef="d${part.id}"/>`
      return `<pc id="${part.id}" dataRefStart="d${part.id}" dataRefEnd="d${part.id}e">${inlineXml(part.parts)}</pc>`
    })
    .join('')
}

/** The tags behind the codes of a unit, for programs that show them. */
function originalDataXml(source: readonly InlinePart[]): string {
  const data = [...codesOf(source).values()].flatMap((code) =>
    code.kind === 'code'
      ? [`<data id="d${code.id}">${xmlText(code.tag)}</data>`]
      : [
          `<data id="d${code.id}">${xmlText(code.open)}</data>`,
          `<data id="d${code.id}e">${xmlText(code.close)}</data>`,
        ],
  )
  return data.length > 0 ? `<originalData>${data.join('')}</originalData>` : ''
}

const unitXml = ({ id, name, notes, source, target }: WorkUnit): string =>
  `    <unit id="${xmlText(id)}" name="${xmlText(name)}" xml:space="preserve">
      <notes>${notes.map((note) => `<note>${xmlText(note)}</note>`).join('')}</notes>
      ${originalDataXml(source)}<segment state="initial"><source>${inlineXml(source)}</source>${target ? `<target>${inlineXml(target)}</target>` : ''}</segment>
    </unit>
`

/** Writes a file of texts to translate. */
export const writeXliff = (source: Locale, target: Locale, files: readonly WorkFile[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="${namespace}" version="2.1" srcLang="${source}" trgLang="${target}">
${files
  .map(
    ({ id, original, name, units }) => `  <file id="${xmlText(id)}" original="${xmlText(original)}">
    <notes><note category="record">${xmlText(name)}</note></notes>
${units.map(unitXml).join('')}  </file>
`,
  )
  .join('')}</xliff>
`

/** A translated unit: its target, or undefined where a part of it has none. */
interface TranslatedUnit {
  id: string
  target: XmlElement['children'] | undefined
  /** Whether some segments have a target and others have none. */
  isPartial: boolean
  /** Whether the file states that the target was translated. */
  isTranslated: boolean
}

/** The translations of one record. */
export interface TranslatedFile {
  original: string
  units: readonly TranslatedUnit[]
}

const isBlank = (children: XmlElement['children']) =>
  children.every((child) => typeof child === 'string' && child.trim() === '')

function toUnit(unit: XmlElement): TranslatedUnit {
  const targets: { order: number; children: XmlElement['children'] }[] = []
  let isComplete = true
  let isBegun = false
  let isTranslated = true
  for (const part of unit.children) {
    if (typeof part === 'string' || (part.name !== 'segment' && part.name !== 'ignorable')) continue
    const [source] = childrenOf(part, 'source')
    const [translation] = childrenOf(part, 'target')
    if (part.name === 'segment') {
      isTranslated &&= (part.attributes.state ?? 'initial') !== 'initial'
      if (translation && !isBlank(translation.children)) isBegun = true
      else isComplete &&= source === undefined || isBlank(source.children)
    }
    // A translation may have its sentences in another order than the source.
    const order = Number(translation?.attributes.order ?? targets.length + 1)
    // The text between two segments stays as it is where the program of the office has not changed it.
    targets.push({ order, children: (translation ?? source)?.children ?? [] })
  }
  const target = targets.toSorted((one, other) => one.order - other.order).flatMap(({ children }) => children)
  return {
    id: unit.attributes.id ?? '',
    target: isComplete ? target : undefined,
    isPartial: isBegun && !isComplete,
    isTranslated,
  }
}

/** Returns the units of an element, also those within groups. */
const unitsOf = (element: XmlElement): XmlElement[] =>
  element.children.flatMap((child) => {
    if (typeof child === 'string') return []
    if (child.name === 'unit') return [child]
    return child.name === 'group' ? unitsOf(child) : []
  })

/**
 * Reads a translated file.
 *
 * @param bytes - The file.
 * @returns Its languages and the translations of each record.
 * @throws 422 for another file than XLIFF 2, for languages that the product does not have, and for too many records.
 */
export async function readXliff(
  bytes: Buffer,
): Promise<{ source: Locale; target: Locale; files: readonly TranslatedFile[] }> {
  let fileCount = 0
  const root = await readXmlTree(bytes, ({ name, uri }) => {
    if (name === 'file' && uri === namespace) fileCount += 1
    if (fileCount > memoryLimits.workRecords) throw fault('memory.size', { params: { max: memoryLimits.workRecords } })
  })
  const [source, target] = [localeOfTag(root.attributes.srcLang), localeOfTag(root.attributes.trgLang)]
  const isXliff = root.name === 'xliff' && root.uri === namespace && root.attributes.version?.startsWith('2.') === true
  if (!isXliff || !source || !target || source === target)
    throw fault('memory.format', { params: { format: 'XLIFF 2.1' } })
  const files = childrenOf(root, 'file').map((file) => ({
    original: file.attributes.original ?? '',
    units: unitsOf(file).map(toUnit),
  }))
  return { source, target, files }
}

/**
 * Reads the content of a target with the codes of its source.
 *
 * @param children - The content of the target.
 * @param source - The source, whose tags the codes stand for.
 * @returns The parts; undefined where codes are missing, repeated, unknown, or of another kind.
 */
export function targetParts(children: XmlElement['children'], source: readonly InlinePart[]): InlinePart[] | undefined {
  const codes = codesOf(source)
  const left = new Set(codes.keys())
  let isSound = true
  const read = (content: XmlElement['children']): InlinePart[] =>
    content.flatMap((child): InlinePart[] => {
      if (typeof child === 'string') return [{ kind: 'text', text: child }]
      if (child.name === 'mrk') return read(child.children)
      const id = Number(child.attributes.id)
      const code = codes.get(id)
      isSound &&= left.delete(id)
      if (child.name === 'ph' && code?.kind === 'code') return [code]
      if (child.name === 'pc' && code?.kind === 'pair') return [{ ...code, parts: read(child.children) }]
      isSound = false
      return []
    })
  const parts = read(children)
  return isSound && left.size === 0 ? parts : undefined
}
