/** The sheet of all keyboard shortcuts, by part of the panel. */
import { useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { isShortcutPart, shortcuts } from '../../lib/keys/shortcuts.ts'
import { Button } from '../../ui/button.tsx'
import { DialogFrame } from '../../ui/overlays/dialog-frame.tsx'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'
import { ShortcutRows } from './shortcut-rows.tsx'

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useT()
  const list = useRef<HTMLElement>(null)
  return (
    <DialogFrame
      open={open}
      onOpenChange={onOpenChange}
      initialFocus={list}
      title={t('nav.shortcuts')}
      description={t('shortcuts.about')}
      actions={<Button onClick={() => onOpenChange(false)}>{t('action.close')}</Button>}
    >
      <ScrollRegion
        ref={list}
        aria-label={t('nav.shortcuts')}
        className="-mx-2 grid max-h-[58dvh] gap-5 overflow-y-auto px-2"
      >
        {Object.keys(shortcuts)
          .filter(isShortcutPart)
          .map((shortcutPart) => (
            <ShortcutRows key={shortcutPart} part={shortcutPart} />
          ))}
      </ScrollRegion>
    </DialogFrame>
  )
}
