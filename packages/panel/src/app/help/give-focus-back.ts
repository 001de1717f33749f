/** Gives the focus back to where it was; a control that has gone meanwhile is replaced by the account menu. */
export function giveFocusBack(to: HTMLElement | null): void {
  const isThere = to?.isConnected && to !== document.body
  const place = isThere ? to : document.querySelector<HTMLElement>('[data-tour="account"]')
  place?.focus({ preventScroll: true })
}
