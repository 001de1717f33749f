/** The seven sections of the menu, with their pages for the user's role. */
import { decideAccess, type CallerRole, type Screen, screensOf, type SectionName, sectionNames } from '@dala/model'
import { seesCards } from '../../../resource/screen-for-user.ts'
import { ownScreens } from '../../own-screens.ts'
import { type Page, pages as ownPages } from '../../pages.ts'

export interface Section {
  name: SectionName
  pages: readonly Screen[]
  /** Pages without a resource, at the end of the menu section. */
  others: readonly Page[]
}

/** Whether an earlier menu item shows the same: contact cards are identical on every screen of a resource. */
function isRepeatedItem({ path, resource }: Screen, asker: CallerRole): boolean {
  return seesCards(resource, asker) && screensOf(resource)[0]?.path !== path
}

/**
 * Sections with the pages that a role may read; all pages when the caller is unknown (the server decides in
 * any case).
 */
export function sectionsForUser(screens: readonly Screen[], asker: CallerRole | undefined): Section[] {
  const readableScreens = screens.filter(
    (screen) =>
      !screen.hidden &&
      (asker === undefined ||
        (decideAccess(screen.resource.access, 'list', asker) !== false && !isRepeatedItem(screen, asker))),
  )
  return sectionNames
    .map((name) => ({
      name,
      pages: readableScreens.filter((screen) => screen.section === name),
      others: asker ? ownPages.filter(({ menu }) => menu?.section === name && menu.isFor(asker)) : [],
    }))
    .filter(({ pages }) => pages.length > 0)
}

/** Whether the section has more than one page; a single page needs no menu. */
export const hasMenu = ({ pages, others }: Section): boolean =>
  pages.length + others.length > 1 || pages.some(({ path }) => ownScreens[path]?.entries !== undefined)

/** The bottom bar of a phone has room for five sections; the others are under settings. */
export const phoneSections: readonly SectionName[] = ['advice', 'insight', 'learning', 'market', 'settings']

/** Sections behind a button of the bottom bar. */
export function sectionsBehindButton(name: SectionName, sections: readonly Section[]): Section[] {
  const hiddenSections = name === 'settings' ? sections.filter((section) => !phoneSections.includes(section.name)) : []
  return [...hiddenSections, ...sections.filter((section) => section.name === name)]
}
