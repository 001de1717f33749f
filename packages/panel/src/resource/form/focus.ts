/** Moves the focus to a field of the form, whatever control edits it. */

/**
 * Selectors of a field's control: the editor before its tools, then anything that takes text or a press;
 * hidden inputs are skipped.
 */
const controlSelectors = ['[role="textbox"]', 'input, textarea, select, button, [role="switch"], [tabindex="0"]']

function isReachable(element: HTMLElement): boolean {
  const isHidden = element.hidden || element.getAttribute('aria-hidden') === 'true' || element.tabIndex < 0
  return !isHidden && !element.matches(':disabled, [type="file"], [type="hidden"]')
}

/**
 * Focuses the form's field with a name such as `shared.region` or `texts.ru.title`; returns false while it is
 * not rendered.
 */
export function focusField(name: string): boolean {
  const field = document.querySelector(`[data-field="${name}"]`)
  for (const control of controlSelectors) {
    const target = [...(field?.querySelectorAll<HTMLElement>(control) ?? [])].find(isReachable)
    if (!target) continue
    target.focus()
    return true
  }
  return false
}

/** Focuses the first field of a form. */
export function focusFirstField(form: HTMLElement | null): void {
  const names = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].map(({ dataset }) => dataset['field'])
  names.some((name) => name !== undefined && focusField(name))
}
