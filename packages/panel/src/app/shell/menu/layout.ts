/** The four states of the side menu as plain rules: what each shows in a window of each width (requirements §4, design). */
import { type MenuState, menuStates } from '../../../lib/preferences.ts'

export type Width = 'phone' | 'middle' | 'wide'

export interface MenuLayout {
  /** The rail stands beside the page. */
  rail: boolean
  /** The sub menu stands beside the page. */
  sub: boolean
  /** The state lays rail and sub menu over the page. */
  overlay: boolean
}

/** Clicks walk through the states by their count modulo 4. */
export function nextMenuState(state: MenuState): MenuState {
  return menuStates[(menuStates.indexOf(state) + 1) % menuStates.length] ?? 'default'
}

/** Where the walk begins: a window that is not wide has no room for the sub menu. */
export function startingMenuState(width: Width): MenuState {
  return width === 'wide' ? 'default' : 'hidden-sub'
}

export function layoutOf(state: MenuState, width: Width): MenuLayout {
  if (width === 'phone') return { rail: false, sub: false, overlay: false }
  if (state === 'temporary') return { rail: false, sub: false, overlay: true }
  if (state === 'hidden-main') return { rail: false, sub: false, overlay: false }
  if (state === 'hidden-sub') return { rail: true, sub: false, overlay: false }
  // Below 1440 px the sub menu is always an overlay.
  return width === 'wide' ? { rail: true, sub: true, overlay: false } : { rail: true, sub: false, overlay: true }
}
