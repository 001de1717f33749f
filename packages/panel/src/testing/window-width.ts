/** Sets the width of the window: jsdom has no layout, so the tests answer media queries. */

/** Answers `min-width` and `max-width` queries for a window of this width. */
export function setWindowWidth(width: number): void {
  window.matchMedia = (query) => {
    const least = /min-width:\s*(\d+)px/.exec(query)
    const most = /max-width:\s*(\d+)px/.exec(query)
    const matches =
      (least ? width >= Number(least[1]) : true) && (most ? width <= Number(most[1]) : true) && Boolean(least ?? most)
    return Object.assign(new EventTarget(), {
      matches,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    })
  }
}
