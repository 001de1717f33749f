/** Converts paragraphs that Word pastes instead of a list to real lists of any depth. */

/** Attribute with the styles of pasted elements. */
export const styleName = 'data-pasted'
/** Selector of the bullets and numbers that Word draws itself. */
const markerSelector = `[${styleName}*="mso-list:Ignore" i], [${styleName}*="mso-list: Ignore" i]`

interface WordListItem {
  paragraph: Element
  level: number
  isOrdered: boolean
}

/** Reads the mark of Word in a list paragraph: `mso-list:l0 level2 lfo1`. */
function parseListItem(paragraph: Element): WordListItem | undefined {
  const level = /mso-list:[^;"']*level(\d)/i.exec(paragraph.getAttribute(styleName) ?? '')?.[1]
  if (level === undefined) return undefined
  const marker = paragraph.querySelector(markerSelector)
  // A mark such as "1.", "a)" or "iv." numbers the list item; a dot, a dash or a letter of a symbol font does
  // not.
  const isOrdered = /^[(\s]*([0-9]{1,3}|[a-zа-я]{1,4})[.)]/i.test(marker?.textContent ?? '')
  return { paragraph, level: Number(level), isOrdered }
}

/** Runs of neighbouring list items with the same parent. */
function runsOf(body: Element): WordListItem[][] {
  const runs: WordListItem[][] = []
  let lastElement: Element | undefined
  for (const paragraph of body.querySelectorAll('p, h1, h2, h3, h4, h5, h6')) {
    const item = parseListItem(paragraph)
    if (!item) continue
    if (lastElement && paragraph.previousElementSibling === lastElement) runs.at(-1)?.push(item)
    else runs.push([item])
    lastElement = paragraph
  }
  return runs
}

function toList(run: readonly WordListItem[]): Element | undefined {
  const [firstElement] = run
  const document = firstElement?.paragraph.ownerDocument
  if (!firstElement || !document) return undefined
  const list = document.createElement(firstElement.isOrdered ? 'ol' : 'ul')
  const lowestLevel = Math.min(...run.map(({ level }) => level))
  for (let index = 0; index < run.length;) {
    const item = run[index]
    // List items of a deeper level belong to the item before them; the first item may have the deepest level.
    const nextIndex = run.findIndex(({ level }, position) => position > index && level <= lowestLevel)
    const end = nextIndex === -1 ? run.length : nextIndex
    const line = document.createElement('li')
    const nestedItems = item && item.level > lowestLevel ? run.slice(index, end) : run.slice(index + 1, end)
    if (item && item.level <= lowestLevel) line.append(...item.paragraph.childNodes)
    const nestedList = toList(nestedItems)
    if (nestedList) line.append(nestedList)
    list.append(line)
    index = end
  }
  return list
}

/** Replaces list paragraphs with lists and removes the drawn bullets and numbers. */
export function buildWordLists(body: Element): void {
  for (const run of runsOf(body)) {
    const [firstElement] = run
    const placeholder = firstElement?.paragraph.ownerDocument.createComment('')
    if (!firstElement || !placeholder) continue
    firstElement.paragraph.before(placeholder)
    for (const { paragraph } of run) {
      for (const marker of paragraph.querySelectorAll(markerSelector)) {
        marker.remove()
      }
    }
    const list = toList(run)
    for (const { paragraph } of run) paragraph.remove()
    if (list) placeholder.replaceWith(list)
    else placeholder.remove()
  }
}
