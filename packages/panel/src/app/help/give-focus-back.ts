/** Returns the focus to a control, or to the account menu if the control no longer exists. */
export function restoreFocus(formerControl: HTMLElement | null): void {
  const canTakeFocus = formerControl?.isConnected && formerControl !== document.body
  const target = canTakeFocus ? formerControl : document.querySelector<HTMLElement>('[data-tour="account"]')
  target?.focus({ preventScroll: true })
}
