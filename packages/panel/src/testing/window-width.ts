/** Sets the width of the window: jsdom has no layout, so the tests answer media queries. */

/** Answers `min-width` and `max-width` queries for a window of this width. */
export function setWindowWidth(width: number): void {
  window.matchMedia = (query) => {
    const min = /min-width:\s*(\d+)px/.exec(query)
    const max = /max-width:\s*(\d+)px/.exec(query)
    const matches =
      (min ? width >= Number(min[1]) : true) && (max ? width <= Number(max[1]) : true) && Boolean(min ?? max)
    return Object.assign(new EventTarget(), {
      matches,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    })
  }
}
