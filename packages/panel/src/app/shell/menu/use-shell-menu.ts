/** The state of the side menu in a component: the stored state, the window's width, and whether the overlay is open. */
import type { SectionName } from '@dala/model'
import { useState } from 'react'
import { type MenuState, setPreferences, usePreferences } from '../../../lib/preferences.ts'
import { phone, useMedia, wide } from '../../../lib/hooks/use-media.ts'
import { layoutOf, type MenuLayout, nextMenuState, startingMenuState, type Width } from './layout.ts'

export interface ShellMenu extends MenuLayout {
  width: Width
  /** The state the next click on the menu button brings. */
  next: MenuState
  /** The section whose pages lie over the page now. */
  open: SectionName | null
  setOpen: (section: SectionName | null) => void
  cycle: () => void
}

/**
 * The menu as it is now.
 *
 * @param section - The section of the page.
 * @param fills - The page fills the window: it begins without the sub menu, and how the menu is left there is not stored.
 * @returns What stands beside the page, and how to change it.
 */
export function useShellMenu(section: SectionName, fills = false): ShellMenu {
  const { menuState } = usePreferences()
  const isPhone = useMedia(phone)
  const isWide = useMedia(wide)
  const width: Width = isPhone ? 'phone' : isWide ? 'wide' : 'middle'
  const [filled, setFilled] = useState<MenuState>('hidden-sub')
  const state = fills ? filled : (menuState ?? startingMenuState(width))
  const next = nextMenuState(state)
  // A stored state never opens an overlay by itself after a reload: it would cover the page nobody asked to leave.
  const [open, setOpen] = useState<SectionName | null>(null)
  return {
    ...layoutOf(state, width),
    width,
    next,
    open,
    setOpen,
    cycle: () => {
      if (fills) setFilled(next)
      else setPreferences({ menuState: next })
      setOpen(layoutOf(next, width).overlay ? section : null)
    },
  }
}
