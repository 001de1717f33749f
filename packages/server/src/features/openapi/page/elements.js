/** Creates the elements of the page that shows the API document; a text is never parsed as HTML. */

/** Creates an HTML element with attributes and children, without undefined ones. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value)
  element.append(...children.flat(Infinity).filter((child) => child !== undefined))
  return element
}

/** Converts a line of Markdown to HTML nodes, as far as the document uses it: `code` and **strong**. */
function line(text) {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((textPart) =>
      textPart.startsWith('`')
        ? make('code', {}, textPart.slice(1, -1))
        : textPart.startsWith('**')
          ? make('strong', {}, textPart.slice(2, -2))
          : textPart,
    )
}

/** Converts paragraphs and lists of Markdown to elements. */
export function prose(text) {
  return text.split(/\n\n+/).map((block) => {
    const items = block.split('\n')
    return items.every((item) => item.startsWith('- '))
      ? make(
          'ul',
          {},
          items.map((item) => make('li', {}, line(item.slice(2)))),
        )
      : make('p', {}, line(block))
  })
}

/** Creates a collapsed section of the page; its content is created when it is opened first. */
export function foldable(attributes, heading, fill) {
  const detailsElement = make('details', attributes, make('summary', {}, heading))
  detailsElement.addEventListener('toggle', () => detailsElement.append(...[fill()].flat()), { once: true })
  return detailsElement
}
