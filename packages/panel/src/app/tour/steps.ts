/** The steps of the tour: what each of them points at, and where it is seen. */
import type { Screen } from '@dala/model'
import type { CurrentUser } from '../../api/session.ts'
import { newAddress } from '../../resource/screen-address.ts'
import { grantOf } from '../../resource/use-may.ts'
import { ownScreens } from '../own-screens.ts'
import type { Section } from '../shell/menu/sections.ts'

/** In order. */
type StepName = 'menu' | 'search' | 'list' | 'form' | 'inbox' | 'help'

export interface TourStep {
  name: StepName
  /** The controls that it points at, by their `data-tour`; the first one in sight. */
  anchors: readonly string[]
  /** The page on which the control is; every page has it when absent. */
  to?: string
}

/** Screens that say most at first sight; a role without them sees the first one of its own. */
const familiar: readonly string[] = ['news', 'settings/reply-templates']
const mostFamiliar = (screens: readonly Screen[]) =>
  familiar.map((path) => screens.find((screen) => screen.path === path)).find((screen) => screen) ?? screens[0]

/**
 * The steps for a user. A step whose page the role does not have is left out.
 *
 * @param sections - The menu of the user.
 * @param me - The user.
 * @param home - The address at which the tour began: its last steps come back to it.
 * @returns The steps in order.
 */
export function stepsFor(sections: readonly Section[], me: CurrentUser, home: string): TourStep[] {
  const screens = sections.flatMap(({ pages }) => pages)
  const list = mostFamiliar(screens.filter(({ path, resource }) => !resource.single && !ownScreens[path]?.page))
  const form = mostFamiliar(
    screens.filter(
      ({ resource }) => resource.localized && !resource.single && grantOf(resource, 'create', me) !== false,
    ),
  )
  return [
    { name: 'menu', anchors: ['menu', 'menu-button'] },
    { name: 'search', anchors: ['search'] },
    ...(list ? [{ name: 'list' as const, anchors: ['list'], to: `/app/${list.path}` }] : []),
    ...(form ? [{ name: 'form' as const, anchors: ['form'], to: newAddress(form).to }] : []),
    { name: 'inbox', anchors: ['inbox'], to: home },
    { name: 'help', anchors: ['help', 'account'], to: home },
  ]
}
