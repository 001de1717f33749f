/** Returns the focus to a control, or to the account menu if the control no longer exists. */
export function restoreFocus(to: HTMLElement | null): void {
  const canTakeFocus = to?.isConnected && to !== document.body
  const target = canTakeFocus ? to : document.querySelector<HTMLElement>('[data-tour="account"]')
  target?.focus({ preventScroll: true })
}
