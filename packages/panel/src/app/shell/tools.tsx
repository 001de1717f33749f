/** What the top bar has besides, and loads after the page: the inbox, and the sheet of keys behind `?`. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadFeatureWords } from '../../lib/i18n.ts'
import { isPressed, isTyping, shortcuts } from '../../lib/shortcuts.ts'
import { shortcutsEvent } from '../../lib/shortcuts-event.ts'
import { useEver } from '../../ui/use-ever.ts'
import { Inbox } from './inbox.tsx'

const ShortcutsDialog = lazy(async () => {
  const [{ ShortcutsDialog: Dialog }] = await Promise.all([import('./shortcuts-dialog.tsx'), loadFeatureWords()])
  return { default: Dialog }
})

export function Tools() {
  const [open, setOpen] = useState(false)
  const ever = useEver(open)
  useEffect(() => {
    const show = () => setOpen(true)
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || !isPressed(event, shortcuts.everywhere.help)) return
      event.preventDefault()
      show()
    }
    window.addEventListener('keydown', handleKey)
    window.addEventListener(shortcutsEvent, show)
    return () => {
      window.removeEventListener('keydown', handleKey)
      window.removeEventListener(shortcutsEvent, show)
    }
  }, [])
  return (
    <>
      <Inbox />
      {ever ? (
        <Suspense fallback={null}>
          <ShortcutsDialog open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
