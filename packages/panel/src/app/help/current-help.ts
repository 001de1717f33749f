/** Help texts of the open page. */
import { addressesOf, type HelpTopic, helpOfPage, helpOfScreen, type Screen } from '@dala/model'
import { useLocation } from '@tanstack/react-router'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { isShortcutPart, type ShortcutPart } from '../../lib/keys/shortcuts.ts'
import { ownScreens } from '../own-screens.ts'
import { matchesAddress, pageOfAddress } from '../pages.ts'
import { screenOfAddress, useScreens } from '../screens.ts'

export interface CurrentHelp {
  topic: HelpTopic
  /** Name of the page, for help texts that have no name of their own. */
  name: string
  screen: Screen | undefined
  /** The parts of the panel whose shortcuts work on the page, besides the global ones. */
  parts: readonly ShortcutPart[]
}

/** Parts of the panel for addresses that are neither a shared list nor a shared form. */
const partsOfAddress: Readonly<Record<string, readonly string[]>> = {
  home: ['home'],
  chats: ['chat'],
  'chats/$index': ['chat'],
  'e-learning/lesson-seen/$index': ['player'],
  'import/$id': ['import'],
  'price-list/$index': ['cells'],
  system: ['system'],
  'system/organisation': ['form'],
  'trading-post/seen/$index': ['review'],
  'translations/$resource/$locale': ['desk'],
}

function partsOf(address: string, screen: Screen | undefined, isForm: boolean): ShortcutPart[] {
  const pageParts = partsOfAddress[address]
  if (pageParts) return pageParts.filter(isShortcutPart)
  if (!screen) return []
  if (screen.resource.single || isForm) return ['form']
  return address === screen.path && !ownScreens[screen.path]?.page ? ['list', 'cells'] : []
}

/**
 * Finds the help of the open page.
 *
 * @returns The topic and what the panel shows beside it; undefined for a page without a declared screen or
 *   page.
 */
export function useCurrentHelp(): CurrentHelp | undefined {
  const t = useT()
  const screens = useScreens()
  const { pathname, search }: { pathname: string; search: Readonly<Record<string, unknown>> } = useLocation()
  const ownPage = pageOfAddress(pathname)
  if (ownPage) {
    const { path, title } = ownPage.page
    return { topic: helpOfPage(path), name: t(title), screen: undefined, parts: partsOf(path, undefined, false) }
  }
  const screen = screenOfAddress(screens, pathname)
  if (!screen) return undefined
  const address = addressesOf(screen).find((screenAddress) => matchesAddress(screenAddress, pathname)) ?? screen.path
  const isForm = address === `${screen.editPath}/$index` && (!screen.overview || search['view'] === 'edit')
  const isNew = pathname.endsWith('/new')
  return {
    topic: helpOfScreen(screen, address),
    name: firstTranslation([`${screen.labelPrefix}.many`]),
    screen,
    parts: partsOf(address, screen, isForm || isNew),
  }
}
