/** Returns the focus to a control, or to the account menu if the control no longer exists. */
export function restoreFocus(to: HTMLElement | null): void {
  const isThere = to?.isConnected && to !== document.body
  const target = isThere ? to : document.querySelector<HTMLElement>('[data-tour="account"]')
  target?.focus({ preventScroll: true })
}
