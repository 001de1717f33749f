/** Pages below /app that show no single resource: their addresses, their names, and which of them the menu shows. */
import {
  type Asker,
  decide,
  hasTrash,
  type MessageId,
  rankOf,
  type Resource,
  resources,
  type SectionName,
} from '@dala/model'
import { listOfImport } from '../resource/import-list.ts'

export interface Page {
  /** Below `/app`; `$name` stands for a part that differs. */
  path: string
  /** Its name in the breadcrumbs. */
  title: MessageId
  /** Its name below the screen that it belongs to. */
  crumb?: MessageId
  /** The section at whose end it stands, and for whom; without it other pages lead here. */
  menu?: { section: SectionName; isFor: (asker: Asker) => boolean }
  /**
   * The path of the screen that it belongs to by its query, in place of its own entry in the menu. A page whose query
   * says none says it itself (`useBelongTo`).
   */
  ownerOf?: (search: Readonly<Record<string, unknown>>) => string | undefined
  /** It fills the window: the menu begins without its second column. */
  fills?: true
  /** It belongs to no section: no section menu is shown beside it. */
  alone?: true
}

/** Whoever may change something that is kept in several languages. */
const translates = (asker: Asker) =>
  Object.values<Resource>(resources).some(
    ({ localized, access }) => localized && decide(access, 'update', asker) !== false,
  )

/** A role that may delete something which the trash keeps. */
const removes = (asker: Asker) =>
  Object.values<Resource>(resources).some(
    (resource) => hasTrash(resource) && decide(resource.access, 'remove', asker) !== false,
  )

/** The address of the first page, below `/app`. */
export const homePath = 'home'

export const pages: readonly Page[] = [
  { path: homePath, title: 'app.home', alone: true },
  { path: 'profile', title: 'nav.profile' },
  { path: 'profile/security', title: 'nav.security' },
  {
    path: 'permissions',
    title: 'page.permissions',
    menu: { section: 'people', isFor: ({ role }) => rankOf(role) >= rankOf('admin') },
  },
  {
    path: 'media',
    title: 'page.media',
    menu: { section: 'content', isFor: ({ role }) => role !== 'public' },
  },
  {
    path: 'translations',
    title: 'page.translations',
    menu: { section: 'content', isFor: translates },
  },
  { path: 'trash', title: 'page.trash', menu: { section: 'content', isFor: removes } },
  {
    path: 'import',
    title: 'page.import',
    crumb: 'action.import',
    menu: { section: 'settings', isFor: ({ role }) => rankOf(role) >= rankOf('admin') },
    ownerOf: ({ kind }) => listOfImport(kind),
  },
  { path: 'import/$id', title: 'page.import', crumb: 'action.import', ownerOf: () => undefined, fills: true },
  {
    path: 'translations/$resource/$locale',
    title: 'page.translations',
  },
]

/** Whether an address is one of those that a path below `/app` stands for. */
export const matchesAddress = (path: string, pathname: string): boolean => {
  const [wanted, own] = [`/app/${path}`.split('/'), pathname.replace(/\/$/, '').split('/')]
  return wanted.length === own.length && wanted.every((part, index) => part.startsWith('$') || part === own[index])
}

/** The page at an address, and the one above it. */
export function pageOfAddress(pathname: string): { page: Page; above: Page | undefined } | undefined {
  const page = pages.find(({ path }) => matchesAddress(path, pathname))
  const above = page && pages.find(({ path }) => page.path !== path && page.path.startsWith(`${path}/`))
  return page && { page, above }
}

/** The section of the menu that a page or the one above it stands in; none for a page that has yet to say its screen. */
export function sectionOfPage(pathname: string): SectionName | undefined {
  const { page, above } = pageOfAddress(pathname) ?? {}
  return (page?.menu ?? (page?.ownerOf ? undefined : above?.menu))?.section
}
