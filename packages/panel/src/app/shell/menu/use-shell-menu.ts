/** The state of the side menu: the stored state, the width of the window, and whether the overlay is open. */
import type { SectionName } from '@dala/model'
import { useState } from 'react'
import { type MenuState, setPreferences, usePreferences } from '../../../lib/preferences.ts'
import { phoneQuery, useMedia, wideQuery } from '../../../lib/hooks/use-media.ts'
import { layoutOf, type MenuLayout, nextMenuState, startingMenuState, type LayoutWidth } from './layout.ts'

export interface ShellMenu extends MenuLayout {
  width: LayoutWidth
  /** State of the menu after the next click on the menu button. */
  next: MenuState
  /** Section of the menu whose pages are shown over the page. */
  open: SectionName | null
  setOpen: (section: SectionName | null) => void
  cycleMenu: () => void
}

/**
 * Returns the present state of the main menu.
 *
 * @param section - The section of the page.
 * @param fillsScreen - The page fills the window: it starts without the sub menu, and changes of the menu
 *   there are not stored.
 * @returns What is shown beside the page, and functions that change it.
 */
export function useShellMenu(section: SectionName, fillsScreen = false): ShellMenu {
  const { menuState } = usePreferences()
  const isPhone = useMedia(phoneQuery)
  const isWide = useMedia(wideQuery)
  const width: LayoutWidth = isPhone ? 'phone' : isWide ? 'wide' : 'middle'
  const [filledState, setFilledState] = useState<MenuState>('hidden-sub')
  const state = fillsScreen ? filledState : (menuState ?? startingMenuState(width))
  const nextState = nextMenuState(state)
  // The menu that overlays the page is always closed after a reload, because it would cover the page.
  const [openSection, setOpen] = useState<SectionName | null>(null)
  return {
    ...layoutOf(state, width),
    width,
    next: nextState,
    open: openSection,
    setOpen,
    cycleMenu: () => {
      if (fillsScreen) setFilledState(nextState)
      else setPreferences({ menuState: nextState })
      setOpen(layoutOf(nextState, width).overlay ? section : null)
    },
  }
}
