/** The seven sections of the menu: their pages for the reader's role. */
import { decide, type Asker, type Screen, screensOf, type SectionName, sectionNames } from '@dala/model'
import { seesCards } from '../../../resource/seen-screen.ts'
import { ownScreens } from '../../own-screens.ts'
import { type Page, pages as ownPages } from '../../pages.ts'

export interface Section {
  name: SectionName
  pages: readonly Screen[]
  /** Pages at its end that show no single resource. */
  others: readonly Page[]
}

/** Cards are the same on every screen of a resource: the first one is enough. */
function isRepeated({ path, resource }: Screen, asker: Asker): boolean {
  return seesCards(resource, asker) && screensOf(resource)[0]?.path !== path
}

/** Sections with the pages a role may read; without knowing who asks, all of them (the server decides in any case). */
export function sectionsFor(screens: readonly Screen[], asker: Asker | undefined): Section[] {
  const readable = screens.filter(
    (screen) =>
      !screen.hidden &&
      (asker === undefined || (decide(screen.resource.access, 'list', asker) !== false && !isRepeated(screen, asker))),
  )
  return sectionNames
    .map((name) => ({
      name,
      pages: readable.filter((screen) => screen.section === name),
      others: asker ? ownPages.filter(({ menu }) => menu?.section === name && menu.isFor(asker)) : [],
    }))
    .filter(({ pages }) => pages.length > 0)
}

/** Whether the section has more than one page to choose from; one page needs no menu. */
export const hasMenu = ({ pages, others }: Section): boolean =>
  pages.length + others.length > 1 || pages.some(({ path }) => ownScreens[path]?.entries !== undefined)

/** The bottom bar of a phone has room for five; the rest stand under settings. */
export const phoneSections: readonly SectionName[] = ['advice', 'insight', 'learning', 'market', 'settings']

/** The sections a button of the bottom bar opens. */
export function sectionsBehind(name: SectionName, sections: readonly Section[]): Section[] {
  const hidden = name === 'settings' ? sections.filter((section) => !phoneSections.includes(section.name)) : []
  return [...hidden, ...sections.filter((section) => section.name === name)]
}
