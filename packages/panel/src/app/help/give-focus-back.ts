/** Returns the focus to a control, or to the account menu if the control no longer exists. */
export function giveFocusBack(to: HTMLElement | null): void {
  const isThere = to?.isConnected && to !== document.body
  const place = isThere ? to : document.querySelector<HTMLElement>('[data-tour="account"]')
  place?.focus({ preventScroll: true })
}
