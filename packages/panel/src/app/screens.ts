/** Every screen below /app (spec §2): its address, its place in the menu and its name. Routes, menus and breadcrumbs come from here. */
import { type MessageId, type Resource, resources, type SectionName } from '@dala/model'

interface ScreenDeclaration {
  /** Address below /app, without parameters. */
  path: string
  section: SectionName
  title: MessageId
  /** `{path}/$index` opens one record; `new` as index makes one. */
  detail?: true
  /** Further addresses of the section that no menu lists. */
  more?: readonly { path: string; title: MessageId }[]
}

const declared = [
  { path: 'consultants', section: 'advice', title: 'nav.consultants', detail: true },
  { path: 'consultation', section: 'advice', title: 'nav.consultations' },
  { path: 'chats', section: 'advice', title: 'nav.chats' },
  { path: 'statistics', section: 'insight', title: 'nav.statistics', detail: true },
  { path: 'people/users', section: 'people', title: 'nav.users', detail: true },
  { path: 'people/staff', section: 'people', title: 'nav.staff', detail: true },
  {
    path: 'e-learning',
    section: 'learning',
    title: 'nav.elearning',
    detail: true,
    more: [
      { path: 'e-learning/course-detail/$index', title: 'learning.course.detail' },
      { path: 'e-learning/lesson-seen/$index', title: 'learning.lesson.view' },
      { path: 'e-learning/lessons/$index', title: 'nav.lessons' },
      { path: 'e-learning/lesson-groups-create/$index', title: 'learning.group.edit' },
    ],
  },
  { path: 'price-list', section: 'market', title: 'nav.priceLists', detail: true },
  {
    path: 'trading-post',
    section: 'market',
    title: 'nav.tradingPosts',
    more: [
      { path: 'trading-post/update/$index', title: 'trading.editTitle' },
      { path: 'trading-post/seen/$index', title: 'trading.viewTitle' },
    ],
  },
  { path: 'agri-finance', section: 'market', title: 'nav.agriFinance', detail: true },
  { path: 'agri-business', section: 'market', title: 'nav.agriBusiness', detail: true },
  { path: 'agri-tools', section: 'market', title: 'nav.agriTools', detail: true },
  { path: 'companies', section: 'market', title: 'nav.companies', detail: true },
  { path: 'news', section: 'content', title: 'nav.news', detail: true },
  {
    path: 'pages',
    section: 'content',
    title: 'nav.staticPages',
    more: [
      { path: 'pages/pages', title: 'nav.staticPages' },
      { path: 'pages/update/$index', title: 'page.edit' },
    ],
  },
  { path: 'about', section: 'content', title: 'nav.about' },
  { path: 'branches', section: 'content', title: 'nav.branches' },
  { path: 'attachments', section: 'content', title: 'nav.attachments' },
  { path: 'partners', section: 'content', title: 'nav.partners' },
  { path: 'settings/regions', section: 'settings', title: 'regions.many', detail: true },
  { path: 'settings/districts', section: 'settings', title: 'districts.many', detail: true },
  { path: 'settings/service-category', section: 'settings', title: 'servicecategories.many', detail: true },
  { path: 'settings/slider', section: 'settings', title: 'sliders.many', detail: true },
  { path: 'settings/product-category', section: 'settings', title: 'productcategories.many', detail: true },
  { path: 'settings/product', section: 'settings', title: 'products.many', detail: true },
  { path: 'settings/company-category', section: 'settings', title: 'companycategories.many', detail: true },
  { path: 'settings/consultant-category', section: 'settings', title: 'consultantcategories.many', detail: true },
  { path: 'settings/consultation-category', section: 'settings', title: 'consultationcategories.many', detail: true },
  { path: 'settings/course-category', section: 'settings', title: 'coursecategories.many', detail: true },
  { path: 'settings/course-type', section: 'settings', title: 'coursetypes.many', detail: true },
  { path: 'settings/gender', section: 'settings', title: 'genders.many', detail: true },
  { path: 'settings/unit', section: 'settings', title: 'units.many', detail: true },
  { path: 'settings/statuses', section: 'settings', title: 'statuses.many', detail: true },
  { path: 'settings/faqs', section: 'settings', title: 'faqs.many', detail: true },
  { path: 'settings/tags', section: 'settings', title: 'tags.many', detail: true },
  { path: 'settings/activity-type', section: 'settings', title: 'activitytypes.many', detail: true },
  { path: 'settings/agroculture-area', section: 'settings', title: 'agrocultureareas.many', detail: true },
] as const satisfies readonly ScreenDeclaration[]

/** The addresses below /app that a menu lists. */
export type ScreenPath = (typeof declared)[number]['path']

export interface Screen extends ScreenDeclaration {
  /** The declared resource whose generic list and form are shown here. */
  resource: Resource | undefined
}

const resourceOfPath = new Map(
  Object.values<Resource>(resources).flatMap((resource) => (resource.path ? [[resource.path, resource]] : [])),
)

/** Screens in the order of the menu. A resource with a path finds its screen by that path alone. */
export const screens: readonly Screen[] = declared.map((screen) => ({
  ...screen,
  resource: resourceOfPath.get(screen.path),
}))

/** Short addresses that lead to a first page (spec §2). */
export const redirects: Readonly<Record<string, ScreenPath>> = {
  '/': 'consultants',
  people: 'people/users',
  settings: 'settings/regions',
}

/** The full address of a screen or of one of its records. */
export function addressOf(path: ScreenPath, index?: number | 'new'): string {
  return index === undefined ? `/app/${path}` : `/app/${path}/${index}`
}

/** The screen an address belongs to: the one whose path it starts with. */
export function screenOfAddress(pathname: string): Screen | undefined {
  return screens.find(({ path }) => pathname === `/app/${path}` || pathname.startsWith(`/app/${path}/`))
}
