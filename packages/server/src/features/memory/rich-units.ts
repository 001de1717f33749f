/**
 * Cuts rich texts into blocks for programs of translators: text with numbered codes instead of tags. The tags
 * themselves never come back from a file, they are those of the stored source.
 */

/** Tags within a line; all others separate blocks. */
const inlineTag = /^<\/?(?:strong|b|em|i|u|s|code|a|img|br)\b/i
const emptyTag = /^<(?:img|br)\b|\/>$/i
const nameOfTag = (tag: string) => /^<\/?([a-z0-9]+)/i.exec(tag)?.[1]?.toLowerCase() ?? ''

/** A part of a block: a text, a code that stands alone, or a pair of codes around other parts. */
export type InlinePart =
  | { kind: 'text'; text: string }
  | { kind: 'code'; id: number; tag: string }
  | { kind: 'pair'; id: number; open: string; close: string; parts: InlinePart[] }

/** A rich text as markup, and blocks whose content is translated. */
export type RichPart = { kind: 'markup'; markup: string } | { kind: 'block'; parts: InlinePart[] }

const signs: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&nbsp;': '\u00a0',
}
const toText = (html: string) => html.replace(/&(?:lt|gt|quot|amp|nbsp);/g, (sign) => signs[sign] ?? sign)
const toHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Puts the tokens of a block together; a tag without its partner in the block is a code of its own. */
function inlineParts(tokens: readonly string[]): InlinePart[] {
  let number = 0
  const root: InlinePart[] = []
  const open: { tag: string; parts: InlinePart[]; outer: InlinePart[] }[] = []
  let current = root
  /** Gives up an unclosed tag: its content follows it. */
  const flatten = () => {
    const left = open.pop()
    if (!left) return
    left.outer.push({ kind: 'code', id: 0, tag: left.tag }, ...left.parts)
    current = left.outer
  }
  for (const token of tokens) {
    if (!token.startsWith('<')) current.push({ kind: 'text', text: toText(token) })
    else if (emptyTag.test(token)) current.push({ kind: 'code', id: 0, tag: token })
    else if (!token.startsWith('</')) {
      open.push({ tag: token, parts: [], outer: current })
      current = open.at(-1)?.parts ?? current
    } else {
      while (open.length > 0 && nameOfTag(open.at(-1)?.tag ?? '') !== nameOfTag(token)) flatten()
      const partner = open.pop()
      if (partner) {
        partner.outer.push({ kind: 'pair', id: 0, open: partner.tag, close: token, parts: partner.parts })
        current = partner.outer
      } else current.push({ kind: 'code', id: 0, tag: token })
    }
  }
  while (open.length > 0) flatten()
  const numbered = (parts: readonly InlinePart[]): InlinePart[] =>
    parts.map((part) => {
      if (part.kind === 'text') return part
      number += 1
      const id = number
      return part.kind === 'pair' ? { ...part, id, parts: numbered(part.parts) } : { ...part, id }
    })
  return numbered(root)
}

/**
 * Cuts a rich text.
 *
 * @param html - The stored text.
 * @returns Its markup and blocks in their order; together they are the text.
 */
export function richParts(html: string): RichPart[] {
  const parts: RichPart[] = []
  let block: string[] = []
  const endBlock = () => {
    if (block.length === 0) return
    if (block.some((token) => !token.startsWith('<') && /\S/.test(token)))
      parts.push({ kind: 'block', parts: inlineParts(block) })
    else parts.push({ kind: 'markup', markup: block.join('') })
    block = []
  }
  for (const token of html.match(/<[^>]*>|[^<]+/g) ?? []) {
    if (!token.startsWith('<') || inlineTag.test(token)) block.push(token)
    else {
      endBlock()
      parts.push({ kind: 'markup', markup: token })
    }
  }
  endBlock()
  return parts
}

/** Writes parts of a block as HTML. */
const inlineHtml = (parts: readonly InlinePart[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return toHtml(part.text)
      return part.kind === 'code' ? part.tag : `${part.open}${inlineHtml(part.parts)}${part.close}`
    })
    .join('')

/**
 * Writes a rich text with other blocks.
 *
 * @param parts - The parts of the stored text.
 * @param blocks - The content of its blocks, in their order.
 */
export function richHtml(parts: readonly RichPart[], blocks: readonly (readonly InlinePart[])[]): string {
  let index = 0
  return parts
    .map((part) => {
      if (part.kind === 'markup') return part.markup
      const block = blocks[index] ?? part.parts
      index += 1
      return inlineHtml(block)
    })
    .join('')
}

/** Returns the codes of a block by number. */
export function codesOf(parts: readonly InlinePart[]): Map<number, Exclude<InlinePart, { kind: 'text' }>> {
  const codes = new Map<number, Exclude<InlinePart, { kind: 'text' }>>()
  for (const part of parts) {
    if (part.kind === 'text') continue
    codes.set(part.id, part)
    if (part.kind === 'pair') for (const [id, code] of codesOf(part.parts)) codes.set(id, code)
  }
  return codes
}
