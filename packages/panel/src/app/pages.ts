/** Pages below /app without a resource: their addresses, their names, and which of them the menu shows. */
import {
  type CallerRole,
  decideAccess,
  hasTrash,
  type MessageId,
  rankOfRole,
  type Resource,
  resources,
  type SectionName,
} from '@dala/model'
import { listOfImport } from '../resource/import-list.ts'

export interface Page {
  /** Path below `/app`; `$name` stands for a variable part. */
  path: string
  /** Name of the page in the breadcrumbs. */
  title: MessageId
  /** Breadcrumb of the page below the screen that it belongs to. */
  crumb?: MessageId
  /**
   * Section of the menu that lists the page last, and its users. A page without a section is only linked from
   * others.
   */
  menu?: { section: SectionName; isFor: (callerRole: CallerRole) => boolean }
  /**
   * Returns the path of the screen that the page belongs to by its query; such a page has no menu item.
   * Without a path in the query the page sets the screen itself (`useBelongTo`).
   */
  ownerOf?: (search: Readonly<Record<string, unknown>>) => string | undefined
  /** Whether the page fills the window: the menu starts without its second column. */
  fillsHeight?: true
  /** Whether the page belongs to no section, so no section menu is shown beside it. */
  isStandalone?: true
}

/** Returns whether a role may change a resource with several languages. */
const mayTranslate = (callerRole: CallerRole) =>
  Object.values<Resource>(resources).some(
    ({ localized, access }) => localized && decideAccess(access, 'update', callerRole) !== false,
  )

/** Returns whether a role may delete records that go to the trash. */
const mayDelete = (callerRole: CallerRole) =>
  Object.values<Resource>(resources).some(
    (resource) => hasTrash(resource) && decideAccess(resource.access, 'remove', callerRole) !== false,
  )

/** Address of the home page, below `/app`. */
export const homePath = 'home'

export const pages: readonly Page[] = [
  { path: homePath, title: 'app.home', isStandalone: true },
  { path: 'profile', title: 'nav.profile' },
  { path: 'profile/notifications', title: 'nav.noticeSettings' },
  { path: 'profile/security', title: 'nav.security' },
  {
    path: 'permissions',
    title: 'page.permissions',
    menu: { section: 'people', isFor: ({ role }) => rankOfRole(role) >= rankOfRole('admin') },
  },
  {
    path: 'media',
    title: 'page.media',
    menu: { section: 'content', isFor: ({ role }) => role !== 'public' },
  },
  {
    path: 'translations',
    title: 'page.translations',
    menu: { section: 'content', isFor: mayTranslate },
  },
  { path: 'trash', title: 'page.trash', menu: { section: 'content', isFor: mayDelete } },
  {
    path: 'import',
    title: 'page.import',
    crumb: 'action.import',
    menu: { section: 'settings', isFor: ({ role }) => rankOfRole(role) >= rankOfRole('admin') },
    ownerOf: ({ kind }) => listOfImport(kind),
  },
  {
    path: 'system',
    title: 'page.system',
    menu: { section: 'settings', isFor: ({ role }) => role === 'owner' },
  },
  {
    path: 'system/organisation',
    title: 'page.organisation',
    menu: { section: 'settings', isFor: ({ role }) => role === 'owner' },
  },
  { path: 'import/$id', title: 'page.import', crumb: 'action.import', ownerOf: () => undefined, fillsHeight: true },
  {
    path: 'translations/$resource/$locale',
    title: 'page.translations',
  },
]

/** Returns whether an address matches a path below `/app`. */
export const matchesAddress = (path: string, pathname: string): boolean => {
  const [patternParts, pathParts] = [`/app/${path}`.split('/'), pathname.replace(/\/$/, '').split('/')]
  return (
    patternParts.length === pathParts.length &&
    patternParts.every((patternPart, index) => patternPart.startsWith('$') || patternPart === pathParts[index])
  )
}

/** Page at an address, and its parent page. */
export function pageOfAddress(pathname: string): { page: Page; parentPage: Page | undefined } | undefined {
  const page = pages.find(({ path }) => matchesAddress(path, pathname))
  const parentPage = page && pages.find(({ path }) => page.path !== path && page.path.startsWith(`${path}/`))
  return page && { page, parentPage }
}

/**
 * The section of the menu with a page or its parent; undefined for a page that still has to set its screen.
 */
export function sectionOfPage(pathname: string): SectionName | undefined {
  const { page, parentPage } = pageOfAddress(pathname) ?? {}
  return (page?.menu ?? (page?.ownerOf ? undefined : parentPage?.menu))?.section
}
