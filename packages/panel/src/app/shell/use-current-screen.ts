/** Screen that the open page shows or belongs to. */
import type { Screen } from '@dala/model'
import { useLocation } from '@tanstack/react-router'
import { useOwnerScreen } from '../../lib/record-name.ts'
import { pageOfAddress } from '../pages.ts'
import { screenOfAddress, useScreens } from '../screens.ts'

export interface CurrentScreen {
  /** Screen of the selected menu item. */
  screen: Screen | undefined
  /** Whether the page has an address of its own and only belongs to the screen. */
  isBelow: boolean
}

export function useCurrentScreen(): CurrentScreen {
  const screens = useScreens()
  const { pathname, search }: { pathname: string; search: Readonly<Record<string, unknown>> } = useLocation()
  const ownerScreen = useOwnerScreen()
  const { page } = pageOfAddress(pathname) ?? {}
  const owner = page?.ownerOf?.(search) ?? (page && ownerScreen)
  const screen = screenOfAddress(screens, owner === undefined ? pathname : `/app/${owner}`)
  return { screen, isBelow: owner !== undefined && screen !== undefined }
}
