/**
 * Every screen below /app (requirements §2), from the declarations; routes, menus and breadcrumbs are derived
 * from it.
 */
import { type Resource, resources, type Screen, screensOf } from '@dala/model'
import { createContext, useContext } from 'react'
import { getPreferences } from '../lib/preferences.ts'

/** Screens of a registry, in the order of its menu. */
export function listScreens(registry: Readonly<Record<string, Resource>>): readonly Screen[] {
  return Object.values(registry).flatMap(screensOf)
}

export const screens = listScreens(resources)

/**
 * Short addresses that redirect to a first page (requirements §2); the user's preference decides for `/app`.
 */
export const redirects: Readonly<Record<string, () => string>> = {
  '/': () => getPreferences().startPage,
  people: () => 'people/users',
  settings: () => 'settings/regions',
}

/** Screens of the running panel; the router provides them. */
export const ScreensContext = createContext(screens)
export const useScreens = (): readonly Screen[] => useContext(ScreensContext)

/** The screen of an address; if it is below several screens, the one with the longest path. */
export function screenOfAddress(allScreens: readonly Screen[], pathname: string): Screen | undefined {
  const isBelowPath = (path: string) => pathname === `/app/${path}` || pathname.startsWith(`/app/${path}/`)
  const length = ({ path, readPath, editPath }: Screen) =>
    Math.max(...[path, readPath, editPath].map((ownPath) => (isBelowPath(ownPath) ? ownPath.length : 0)))
  const [closestScreen] = allScreens.filter((screen) => length(screen) > 0).toSorted((a, b) => length(b) - length(a))
  return closestScreen
}
