/** Reads and writes XML of translations: without document types of its own, within bounds. */
import { setImmediate } from 'node:timers/promises'
import { fault, memoryLimits } from '@dala/model'
import { SaxesParser } from 'saxes'

/** An element as its start tag names it, without prefix. */
interface XmlTag {
  name: string
  /** Namespace of the element; empty without one. */
  uri: string
  /** Attributes by name; `xml:lang` with its prefix. */
  attributes: Readonly<Record<string, string>>
}

/** Receivers of the parts of a document, in their order. */
export interface XmlReceiver {
  open: (tag: XmlTag) => void
  text: (text: string) => void
  close: (tag: XmlTag) => void
}

/** Characters that are parsed before other requests are served. */
const pieceLength = 262_144

/** Returns the text of a file in UTF-8, or in UTF-16 with its mark. */
function textOf(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw fault('memory.file', { params: { line: 1 } })
  }
}

/**
 * Reads a document.
 *
 * @param bytes - The file.
 * @param receiver - Receives its elements and texts.
 * @throws 422 for a file that is not well-formed, that declares entities or elements, that nests too deeply, or that
 *   has too many elements.
 */
export async function readXml(bytes: Buffer, receiver: XmlReceiver): Promise<void> {
  const text = textOf(bytes)
  const parser = new SaxesParser({ xmlns: true, position: true })
  let depth = 0
  let elementCount = 0
  const toTag = ({
    local,
    uri,
    attributes,
  }: {
    local: string
    uri: string
    attributes: Readonly<Record<string, { value: string }>>
  }): XmlTag => ({
    name: local,
    uri,
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value])),
  })
  parser.on('error', () => {
    throw fault('memory.file', { params: { line: parser.line } })
  })
  parser.on('doctype', (declaration) => {
    // A name and an address are common in TMX; nothing is read from the address.
    if (declaration.includes('[')) throw fault('memory.declarations')
  })
  parser.on('opentag', (tag) => {
    depth += 1
    if (depth > memoryLimits.depth) throw fault('memory.size', { params: { max: `${memoryLimits.depth} levels` } })
    elementCount += 1
    if (elementCount > memoryLimits.elements) throw fault('memory.size', { params: { max: memoryLimits.elements } })
    receiver.open(toTag(tag))
  })
  parser.on('text', receiver.text)
  parser.on('cdata', receiver.text)
  parser.on('closetag', (tag) => {
    depth -= 1
    receiver.close(toTag(tag))
  })
  for (let start = 0; start < text.length; start += pieceLength) {
    parser.write(text.slice(start, start + pieceLength))
    await setImmediate()
  }
  parser.close()
}

/** An element with its content. */
export interface XmlElement extends XmlTag {
  children: (XmlElement | string)[]
}

/**
 * Reads a document as a tree.
 *
 * @param bytes - The file.
 * @param checkTag - Receives each element as it begins, and may throw.
 * @returns Its outermost element.
 * @throws 422 as `readXml` does.
 */
export async function readXmlTree(bytes: Buffer, checkTag: (tag: XmlTag) => void): Promise<XmlElement> {
  const root: XmlElement = { name: '', uri: '', attributes: {}, children: [] }
  const path = [root]
  await readXml(bytes, {
    open: (tag) => {
      checkTag(tag)
      const element: XmlElement = { ...tag, children: [] }
      path.at(-1)?.children.push(element)
      path.push(element)
    },
    text: (text) => void path.at(-1)?.children.push(text),
    close: () => void path.pop(),
  })
  const outermost = root.children.find((child): child is XmlElement => typeof child !== 'string')
  if (!outermost) throw fault('memory.file', { params: { line: 1 } })
  return outermost
}

/** Returns the elements of a name within an element. */
export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name)

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 cannot contain, not even as references. */
const forbiddenCharacters = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu

/** Writes a text as the content of an element or the value of an attribute. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(forbiddenCharacters, '')
    .replace(/[&<>"]/g, (sign) => signs[sign] ?? sign)
