/** The menu over the page: rail and sub menu in a wide window, a sheet at the lower edge on a phone. */
import { Dialog } from '@base-ui/react/dialog'
import type { SectionName } from '@dala/model'
import { useT } from '../../../lib/i18n.ts'
import { Scrim } from '../../../ui/overlays/scrim.tsx'
import { Rail } from './rail.tsx'
import { hasMenu, type Section, sectionsBehindButton } from './sections.ts'
import { SubMenu } from './sub-menu.tsx'
import type { ShellMenu } from './use-shell-menu.ts'

export interface MenuOverlayProps {
  menu: ShellMenu
  sections: readonly Section[]
}

/**
 * Menu over the page, closed by Escape, a click outside or navigation. The focus returns to the button that
 * opened it.
 */
export function MenuOverlay({ menu, sections }: MenuOverlayProps) {
  const t = useT()
  const closeMenu = () => menu.setOpen(null)
  return (
    <Dialog.Root open={menu.open !== null} onOpenChange={(isOpen) => !isOpen && closeMenu()}>
      <Dialog.Portal>
        <Dialog.Backdrop render={<Scrim />} />
        <Dialog.Popup
          aria-label={t('app.mainNavigation')}
          className="fixed z-[calc(var(--z-dialog)+1)] shadow-3 outline-0 transition-[opacity,translate] duration-(--dur-3) ease-ui data-ending-style:opacity-0 data-starting-style:opacity-0 max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[80dvh] max-md:overflow-y-auto max-md:rounded-t-3 max-md:bg-sunken max-md:px-2 max-md:pt-3 max-md:pb-[max(8px,env(safe-area-inset-bottom))] max-md:data-starting-style:translate-y-2 md:inset-y-0 md:start-0 md:flex"
        >
          {menu.open === null ? null : (
            <SectionPages open={menu.open} menu={menu} sections={sections} onGo={closeMenu} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function SectionPages({ open, menu, sections, onGo }: MenuOverlayProps & { open: SectionName; onGo: () => void }) {
  if (menu.width === 'phone') {
    return sectionsBehindButton(open, sections).map((section) => (
      <SubMenu key={section.name} section={section} variant="sheet" onGo={onGo} />
    ))
  }
  const section = sections.find(({ name }) => name === open)
  return (
    <>
      <Rail sections={sections} current={open} onOpen={(name) => menu.setOpen(name)} />
      {section && hasMenu(section) ? <SubMenu section={section} variant="column" onGo={onGo} /> : null}
    </>
  )
}
