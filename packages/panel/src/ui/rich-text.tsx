/** Renders HTML texts of editors: only known tags are drawn, as our own elements, never as markup. */
import { createElement, Fragment, type ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'

/** Tags of rich text that the server allows (checklist §7); of others only the contents are drawn. */
const tags = new Set(
  'p br hr strong b em i u s code pre blockquote h2 h3 h4 ul ol li figure figcaption table thead tbody tr th td'.split(
    ' ',
  ),
)

/** Tags whose contents are no readable text. */
const droppedTags = new Set(['script', 'style', 'template', 'iframe', 'object', 'svg', 'math', 'noscript', 'title'])

/** Address of a link or a picture in a rich text, if it is safe to follow. */
function safeAddress(value: string | null, schemes: readonly string[]): string | undefined {
  if (!value) return undefined
  if (value.startsWith('/') && !value.startsWith('//')) return value
  try {
    return schemes.includes(new URL(value).protocol) ? value : undefined
  } catch {
    return undefined
  }
}

/** Draws a part of a text that has no markup. */
type DrawText = (text: string) => ReactNode

function renderChildren(parent: Node, drawText: DrawText): ReactNode[] {
  return Array.from(parent.childNodes, (node, index) => <Fragment key={index}>{renderNode(node, drawText)}</Fragment>)
}

function renderNode(node: Node, drawText: DrawText): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return drawText(node.nodeValue ?? '')
  if (!(node instanceof Element)) return null
  const tag = node.localName
  if (droppedTags.has(tag)) return null
  if (tag === 'a') return renderLink(node, drawText)
  if (tag === 'img') return renderPicture(node)
  if (!tags.has(tag)) return renderChildren(node, drawText)
  const children = renderChildren(node, drawText)
  return createElement(tag, spansOf(node), ...(children.length > 0 ? [children] : []))
}

/** Attributes of a tag that are drawn: column and row spans of a cell, or the start of a list. */
function spansOf(node: Element): Record<string, number> {
  const numbers = { colSpan: 'colspan', rowSpan: 'rowspan', start: 'start' }
  return Object.fromEntries(
    Object.entries(numbers)
      .map(([name, attribute]) => [name, Number(node.getAttribute(attribute))] as const)
      .filter(([, value]) => Number.isInteger(value) && value > 0),
  )
}

function renderLink(node: Element, drawText: DrawText): ReactNode {
  const href = safeAddress(node.getAttribute('href'), ['https:', 'http:', 'mailto:'])
  if (!href) return renderChildren(node, drawText)
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {renderChildren(node, drawText)}
    </a>
  )
}

function renderPicture(node: Element): ReactNode {
  const src = safeAddress(node.getAttribute('src'), ['https:'])
  return src ? <img src={src} alt={node.getAttribute('alt') ?? ''} loading="lazy" className="rounded-2" /> : null
}

export interface RichTextProps {
  html: string
  /** Language of the rich text. */
  lang?: string | undefined
  className?: string
  /** Draws the texts between the tags, for example with marks; as they are by default. */
  drawText?: DrawText
}

const asItIs: DrawText = (text) => text

export function RichText({ html, lang, className, drawText = asItIs }: RichTextProps) {
  // Rich text is parsed as a separate document, in which nothing is loaded or run.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return (
    <div lang={lang} className={cx('rich-text', className)}>
      {renderChildren(body, drawText)}
    </div>
  )
}
