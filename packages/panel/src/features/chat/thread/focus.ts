/** Moves the focus when the pressed button of a message disappears. */

const selectors = { message: '[data-message]', log: '[role="log"]', composer: '[data-composer]' } as const

/**
 * Moves the focus away from a button that is about to disappear.
 *
 * @param target - Where the focus moves: the message of the button, the log of messages, or the composer.
 */
export function focusInThread(button: HTMLElement, target: keyof typeof selectors): void {
  const element =
    button.closest<HTMLElement>(selectors[target]) ?? document.querySelector<HTMLElement>(selectors[target])
  element?.focus({ preventScroll: true })
}

/** Whether nothing has the focus: the focused element was removed, or a page has just opened. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document
  return activeElement === null || activeElement === body || activeElement.id === 'main'
}
