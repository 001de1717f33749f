/**
 * Tidies a paste from Word, Google Docs, Excel and web pages: the text, its emphasis, headings, links and
 * lists stay; styles, classes, comments, fonts and tables are removed. The editor itself drops what it does
 * not know, and the server sanitises what is saved: this code makes the text readable, it does not make it
 * safe.
 */
import { buildWordLists, styleName } from './word-lists.ts'

/** Removes an element of pasted HTML and keeps its content. */
function unwrapElement(element: Element): void {
  element.replaceWith(...element.childNodes)
}

function renameElement(element: Element, name: string): Element {
  const replacementElement = element.ownerDocument.createElement(name)
  replacementElement.append(...element.childNodes)
  element.replaceWith(replacementElement)
  return replacementElement
}

const blockSelector = 'p, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, div, table, pre, hr'
/** Elements are replaced from the innermost outwards, so that no change loses their content. */
const findElements = (body: Element, selector: string): Element[] => [...body.querySelectorAll(selector)].toReversed()

function removeComments(body: Element): void {
  const treeWalker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT)
  const comments: Node[] = []
  while (treeWalker.nextNode()) comments.push(treeWalker.currentNode)
  for (const comment of comments) comment.parentNode?.removeChild(comment)
}

/**
 * Emphasis that pasted text has as a style becomes an element; links and headings have their own emphasis.
 */
function convertEmphasis(element: Element): void {
  const style = element.getAttribute(styleName) ?? ''
  const isInLink = element.closest('a') !== null
  const isInHeading = element.closest('h1, h2, h3, h4, h5, h6') !== null
  const marks = [
    !isInHeading && /(^|[;\s])font-weight:\s*(bold|[6-9]00)/i.test(style) ? 'strong' : '',
    /(^|[;\s])font-style:\s*italic/i.test(style) ? 'em' : '',
    !isInLink && /(^|[;\s])text-decoration[^;]*:[^;]*underline/i.test(style) ? 'u' : '',
    /(^|[;\s])text-decoration[^;]*:[^;]*line-through/i.test(style) ? 's' : '',
  ]
  for (const name of marks) {
    if (name === '') continue
    const mark = element.ownerDocument.createElement(name)
    mark.append(...element.childNodes)
    element.append(mark)
  }
}

/** A row of plain table cells becomes a line; a table that only arranges paragraphs leaves them unchanged. */
function flattenTable(table: Element): void {
  const rows = [...table.querySelectorAll('tr')].flatMap((row): Node[] => {
    const cells = [...row.querySelectorAll('td, th')]
    if (cells.some((cell) => cell.querySelectorAll(blockSelector).length > 1)) {
      return cells.flatMap((cell) => [...cell.childNodes])
    }
    const texts = cells.map((cell) => cell.textContent.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
    const line = table.ownerDocument.createElement('p')
    line.textContent = texts.join(' | ')
    return [line]
  })
  table.replaceWith(...rows)
}

/** Links whose address the editor does not accept become plain text. */
function cleanLink(link: Element): void {
  const href = link.getAttribute('href')?.trim() ?? ''
  if (!/^(https:\/\/|mailto:)/i.test(href)) return unwrapElement(link)
  for (const name of link.getAttributeNames()) if (name !== 'href') link.removeAttribute(name)
}

const isBlank = (element: Element) =>
  element.textContent.replace(/[\s\u00A0\u200B]/g, '') === '' && element.querySelector('br, hr') === null

/** Word breaks its lines anywhere, pads with non-breaking spaces, and adds spaces between its paragraphs. */
function removeBlankText(body: Element): void {
  const treeWalker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const whitespace: Node[] = []
  while (treeWalker.nextNode()) {
    const { currentNode } = treeWalker
    const parent = currentNode.parentElement
    currentNode.nodeValue = currentNode.nodeValue?.replace(/[\s\u00A0]+/g, ' ') ?? ''
    if (currentNode.nodeValue === ' ' && parent?.matches('body, ul, ol, blockquote')) whitespace.push(currentNode)
  }
  for (const space of whitespace) space.parentNode?.removeChild(space)
}

/**
 * The browser's content policy reports every style of a document, even of one that is never shown, so styles
 * are renamed first.
 */
function removeStyles(html: string): string {
  return html
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ` ${styleName}=`))
}

/**
 * Cleans HTML from the clipboard.
 *
 * @param html - The pasted HTML.
 * @returns HTML of paragraphs, headings, lists, links and emphasis, without attributes.
 */
export function cleanPastedHtml(html: string): string {
  // HTML copied from our own editor is marked and already clean.
  if (html.includes('data-pm-slice')) return html
  const { body } = new DOMParser().parseFromString(removeStyles(html), 'text/html')
  removeComments(body)
  const foreignSelector =
    'style, script, meta, link, title, xml, img, svg, iframe, object, template, .Apple-interchange-newline'
  for (const element of findElements(body, foreignSelector)) element.remove()
  buildWordLists(body)
  for (const element of findElements(body, '*')) {
    // Google Docs wraps everything into a `<b>` that is not bold.
    if (
      element.tagName === 'B' &&
      /(^|[;\s])font-weight:\s*(normal|400)/i.test(element.getAttribute(styleName) ?? '')
    ) {
      unwrapElement(element)
    } else if (element.tagName.includes(':') || element.tagName === 'FONT') unwrapElement(element)
    else if (element.tagName === 'SPAN') {
      convertEmphasis(element)
      unwrapElement(element)
    } else if (element.tagName === 'H1') renameElement(element, 'h2')
    else if (element.tagName === 'H5' || element.tagName === 'H6') renameElement(element, 'h4')
  }
  for (const table of findElements(body, 'table')) flattenTable(table)
  for (const box of findElements(body, 'div, section, article, center')) {
    if (box.querySelector(blockSelector) === null && !isBlank(box)) renameElement(box, 'p')
    else unwrapElement(box)
  }
  for (const link of findElements(body, 'a')) cleanLink(link)
  for (const element of body.querySelectorAll(':not(a)')) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  removeBlankText(body)
  for (const element of findElements(body, 'p, h2, h3, h4, li, ul, ol, b, strong, i, em, u, s, a')) {
    if (isBlank(element)) element.remove()
  }
  return body.innerHTML.trim()
}
