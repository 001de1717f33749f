/** Steps of the tour, each with its control and its page. */
import type { Screen } from '@dala/model'
import type { CurrentUser } from '../../api/session.ts'
import { newAddress } from '../../resource/screen-address.ts'
import { grantForUser } from '../../resource/use-may.ts'
import { ownScreens } from '../own-screens.ts'
import type { Section } from '../shell/menu/sections.ts'

/** Names of the steps, in the order of the tour. */
type StepName = 'menu' | 'search' | 'list' | 'form' | 'inbox' | 'help'

export interface TourStep {
  name: StepName
  /** Controls that the step of the tour points at, by `data-tour`; the first visible one counts. */
  anchors: readonly string[]
  /** Page with the control of the tour step; absent when every page has the control. */
  to?: string
}

/**
 * Screens for the tour that are easy to understand; a role without them sees the first of its own screens.
 */
const preferredPaths: readonly string[] = ['news', 'settings/reply-templates']
const preferredScreen = (screens: readonly Screen[]) =>
  preferredPaths.map((path) => screens.find((screen) => screen.path === path)).find((screen) => screen) ?? screens[0]

/**
 * Returns the steps of the tour for a user, without those whose page the role does not have.
 *
 * @param sections - The menu of the user.
 * @param me - The user.
 * @param home - The address where the tour started; its last steps return to it.
 * @returns The steps in order.
 */
export function stepsFor(sections: readonly Section[], me: CurrentUser, home: string): TourStep[] {
  const screens = sections.flatMap(({ pages }) => pages)
  const list = preferredScreen(screens.filter(({ path, resource }) => !resource.single && !ownScreens[path]?.page))
  const form = preferredScreen(
    screens.filter(
      ({ resource }) => resource.localized && !resource.single && grantForUser(resource, 'create', me) !== false,
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
