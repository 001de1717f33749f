/**
 * The contents of the help of a screen: its purpose and three things to know. The texts are in
 * `labels/help/<language>.json`, apart from the catalogues, because they are loaded only when the help is
 * open.
 */
import { decideAccess, isRoleType, type OperationName, rankOfRole, type RoleType, roleTypes } from '../access/access.ts'
import { addressesOf, type Resource, type Screen } from '../declaration/define-resource.ts'
import { type Field, isLink, isToOne } from '../fields/field.ts'
import { resources } from '../resources/index.ts'

/** A right: an operation on the resource of the screen, or the least role that has it. */
export type HelpNeed = OperationName | RoleType

/** A fact about a screen that its help explains. */
export interface HelpFact {
  /** Catalogue key of the help text. */
  text: string
  /** The right that the fact is about; without a right it is for everybody who sees the screen. */
  requirement?: HelpNeed
}

/** The help of one screen or page of the panel. */
export interface HelpTopic {
  key: string
  pageFacts: readonly HelpFact[]
}

/** Number of facts in the help of a screen. */
const factCount = 3

/** Reference lists whose items no record refers to: all three texts are their own. */
const pagesWithOwnTexts: ReadonlySet<string> = new Set([
  'settings/absences',
  'settings/additional-info',
  'settings/faqs',
  'settings/moderation-reasons',
  'settings/reply-templates',
  'settings/routing-rules',
  'settings/slider',
  'settings/statuses',
])

/** Further addresses of a screen that have a topic of their own; others show the topic of the screen. */
export const helpAddresses = [
  'e-learning/progress/$index',
  'price-list/$index',
  'price-list/chart',
  'price-list/changes',
  'price-list/map',
  'price-list/bulletin',
  'statistics/$index',
  'trading-post/seen/$index',
] as const

/** Pages of the panel that show no single resource, by their addresses below `/app`. */
export const helpPages = [
  'home',
  'import',
  'import/$id',
  'media',
  'permissions',
  'profile',
  'profile/notifications',
  'profile/security',
  'system',
  'system/organisation',
  'translations',
  'translations/$resource/$locale',
  'trash',
] as const

/** Rights that help texts are about, by the key of the text. */
const helpNeeds: Readonly<Record<string, HelpNeed>> = {
  'about.1': 'update',
  'about.2': 'update',
  'agri-business.1': 'update',
  'agri-business.2': 'update',
  'agri-finance.1': 'update',
  'agri-finance.2': 'update',
  'agri-tools.2': 'update',
  'attachments.1': 'create',
  'attachments.3': 'remove',
  'branches.2': 'update',
  'branches.3': 'remove',
  'chats.3': 'admin',
  'companies.3': 'update',
  'consultants.2': 'admin',
  'consultants.3': 'admin',
  'e-learning.1': 'update',
  'e-learning.2': 'update',
  'e-learning.3': 'update',
  'e-learning.lesson-groups-create.1': 'update',
  'e-learning.lesson-groups-create.3': 'remove',
  'news.1': 'update',
  'news.2': 'update',
  'news.3': 'update',
  'pages.1': 'update',
  'pages.2': 'update',
  'partners.1': 'update',
  'people.staff.1': 'create',
  'people.users.2': 'admin',
  'people.users.3': 'admin',
  'price-list.3': 'update',
  'price-list.index.1': 'update',
  'price-list.index.2': 'update',
  'price-list.index.3': 'update',
  'settings.additional-info.1': 'update',
  'settings.additional-info.2': 'update',
  'settings.faqs.2': 'update',
  'settings.moderation-reasons.2': 'update',
  'settings.reply-templates.3': 'admin',
  'settings.routing-rules.1': 'update',
  'settings.routing-rules.2': 'admin',
  'settings.slider.1': 'update',
  'settings.slider.2': 'update',
  'settings.statuses.1': 'update',
  'settings.statuses.2': 'update',
  'shared.cleared': 'remove',
  'shared.held': 'remove',
  'shared.hide': 'update',
  'shared.languages': 'update',
  'shared.trash': 'remove',
  'trading-post.1': 'admin',
  'trading-post.3': 'admin',
  'trading-post.seen.index.1': 'admin',
  'trading-post.seen.index.2': 'admin',
  'trading-post.seen.index.3': 'admin',
}

/**
 * Returns the key of a help topic.
 *
 * @param address - An address below `/app`; `$name` stands for a variable part.
 * @returns The prefix of its texts.
 * @example
 * helpKey('price-list/$index') // 'price-list.index'
 */
export const helpKey = (address: string): string => address.replaceAll('/$', '.').replaceAll('/', '.')

function makeFact(text: string): HelpFact {
  const helpNeed = helpNeeds[text]
  return { text, ...(helpNeed && { requirement: helpNeed }) }
}

/** The effect on records that refer to a list item when the item is deleted. */
function removalEffectOf(name: string): 'held' | 'cleared' | 'trash' {
  const links = Object.values<Resource>(resources)
    .flatMap(({ fields }) => Object.values<Field>(fields))
    .filter((field) => isLink(field) && field.target === name && !field.readOnly)
  if (links.length === 0) return 'trash'
  const isTrueForField = (field: Field) =>
    isToOne(field) && (field.onDelete ?? (field.required ? 'restrict' : 'clear')) === 'restrict'
  return links.some(isTrueForField) ? 'held' : 'cleared'
}

/** A reference list has one text of its own; the others follow from its declaration. */
function referenceFacts(key: string, { name, fields, localized }: Resource): HelpFact[] {
  const commonFields = [
    removalEffectOf(name),
    ...(localized ? (['languages'] as const) : []),
    ...('order' in fields ? (['order'] as const) : []),
    ...('active' in fields ? (['hide'] as const) : []),
    'trash' as const,
  ]
  return [
    makeFact(`${key}.1`),
    ...[...new Set(commonFields)].slice(0, factCount - 1).map((name) => makeFact(`shared.${name}`)),
  ]
}

const factsOfTopic = (key: string) => Array.from({ length: factCount }, (_, index) => makeFact(`${key}.${index + 1}`))

/** Returns the help of a screen. */
const topicOfScreen = ({ path, section, resource }: Screen): HelpTopic => {
  const key = helpKey(path)
  const isReference = section === 'settings' && !pagesWithOwnTexts.has(path)
  return { key, pageFacts: isReference ? referenceFacts(key, resource) : factsOfTopic(key) }
}

/**
 * Returns the help at an address of a screen.
 *
 * @param screen - The screen that the address belongs to.
 * @param address - One of its addresses; the screen's own help stands for an address without help of its own.
 * @returns The topic.
 * @example
 * helpOfScreen(screen, 'price-list/$index').key // 'price-list.index'
 */
export function helpOfScreen(screen: Screen, address: string = screen.path): HelpTopic {
  const isOwn = (helpAddresses as readonly string[]).includes(address) && addressesOf(screen).includes(address)
  return isOwn ? helpOfPage(address) : topicOfScreen(screen)
}

/**
 * Returns the help of a page that shows no single resource.
 *
 * @param path - Its address below `/app`.
 * @returns The topic.
 * @example
 * helpOfPage('home').things.map(({ text }) => text) // ['home.1', 'home.2', 'home.3']
 */
export function helpOfPage(path: string): HelpTopic {
  const key = helpKey(path)
  return { key, pageFacts: factsOfTopic(key) }
}

/**
 * Returns the least role that has a right; `consultant` is a signed-in user who is a consultant.
 *
 * @param itemNeed - The right.
 * @param resource - The resource of the screen; undefined for a page without one.
 * @returns The role, or undefined when nobody has the right.
 * @example
 * lowestAllowedRole('update', resources.news) // 'admin'
 */
export function lowestAllowedRole(
  itemNeed: HelpNeed,
  resource: Resource | undefined,
): RoleType | 'consultant' | undefined {
  if (isRoleType(itemNeed)) return itemNeed
  if (!resource) return undefined
  const may = (role: RoleType, isConsultant: boolean) =>
    decideAccess(resource.access, itemNeed, { role, isConsultant }) !== false
  const leastRole = roleTypes.toReversed().find((role) => may(role, false))
  const isBelow = leastRole === undefined || rankOfRole(leastRole) > rankOfRole('authenticated')
  return isBelow && may('authenticated', true) ? 'consultant' : leastRole
}
