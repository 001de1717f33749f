/** The sheet of all keys of the panel, by the part they work in. */
import { useRef } from 'react'
import { tFirst, useT } from '../../lib/i18n.ts'
import { capsOf, type Keys, shortcuts } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/button.tsx'
import { DialogFrame } from '../../ui/dialog-frame.tsx'
import { KeyCaps } from '../../ui/key-caps.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'

/** The arrows after one Shift: each with its own would be a wall of keys. */
function shownWays(ways: readonly Keys[]): string[][] {
  const all = ways.map(capsOf)
  const [first = []] = all
  if (all.length < 3) return all
  return [[...first.slice(0, -1), ...all.flatMap((caps) => caps.slice(-1))]]
}

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
        {Object.entries(shortcuts).map(([part, names]) => (
          <div key={part}>
            <h3 className="pb-1 font-semibold">{tFirst([`shortcuts.part.${part}`])}</h3>
            <dl>
              {Object.entries<readonly Keys[]>(names).map(([name, ways]) => (
                <div key={name} className="flex items-center justify-between gap-4 border-t border-line py-1.5">
                  <dt>{tFirst([`shortcuts.${part}.${name}`])}</dt>
                  <dd className="flex flex-wrap justify-end gap-x-3 gap-y-1">
                    {shownWays(ways).map((caps) => (
                      <KeyCaps key={caps.join(' ')} caps={caps} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </ScrollRegion>
    </DialogFrame>
  )
}
