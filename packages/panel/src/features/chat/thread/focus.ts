/** Where the focus goes when the button that was pressed in a thread goes away by that. */

const selectors = { message: '[data-message]', log: '[role="log"]', composer: '[data-composer]' } as const

/** In: the button that is about to go; the message it stands in, the messages, or the field where one writes. */
export function focusInThread(button: HTMLElement, place: keyof typeof selectors): void {
  const found = button.closest<HTMLElement>(selectors[place]) ?? document.querySelector<HTMLElement>(selectors[place])
  found?.focus({ preventScroll: true })
}

/** Nobody is anywhere: what had the focus has gone, or a page has just been opened. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document
  return activeElement === null || activeElement === body || activeElement.id === 'main'
}
