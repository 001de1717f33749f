/** Saves a form with the keyboard. */
import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Ctrl+S and ⌘S press the save button, in any keyboard layout; a disabled button does nothing. */
export function useSaveKey(form: RefObject<HTMLFormElement | null>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.code !== 'KeyS' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    const isElsewhere = event.target instanceof Element && event.target.closest('[role="dialog"], [role="alertdialog"]')
    if (!isElsewhere) form.current?.querySelector<HTMLButtonElement>('button[type="submit"]')?.click()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
