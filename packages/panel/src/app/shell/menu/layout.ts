/**
 * The four states of the side menu as plain rules: what each shows in a window of each width (requirements
 * §4, design).
 */
import { type MenuState, menuStates } from '../../../lib/preferences.ts'

export type LayoutWidth = 'phone' | 'middle' | 'wide'

export interface MenuLayout {
  /** Whether the rail is shown beside the page. */
  rail: boolean
  /** Whether the submenu is shown beside the page. */
  sub: boolean
  /** Whether rail and submenu are shown over the page. */
  overlay: boolean
}

/** Returns the next of the four menu states, cyclically. */
export function nextMenuState(state: MenuState): MenuState {
  return menuStates[(menuStates.indexOf(state) + 1) % menuStates.length] ?? 'default'
}

/** First state of the menu: only a wide window has room for the submenu. */
export function startingMenuState(width: LayoutWidth): MenuState {
  return width === 'wide' ? 'default' : 'hidden-sub'
}

export function layoutOf(state: MenuState, width: LayoutWidth): MenuLayout {
  if (width === 'phone') return { rail: false, sub: false, overlay: false }
  if (state === 'temporary') return { rail: false, sub: false, overlay: true }
  if (state === 'hidden-main') return { rail: false, sub: false, overlay: false }
  if (state === 'hidden-sub') return { rail: true, sub: false, overlay: false }
  // Below 1440 px the submenu is always an overlay.
  return width === 'wide' ? { rail: true, sub: true, overlay: false } : { rail: true, sub: false, overlay: true }
}
