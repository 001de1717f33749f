/**
 * The reason why a control is disabled, as assistive technology announces it; the testing library does not
 * read labels of descriptions.
 */
export function reasonOf(control: Element | null | undefined): string | undefined {
  if (control?.getAttribute('aria-disabled') !== 'true') return undefined
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.getAttribute('aria-label') ?? '').join(' ')
}
