/** The chapters of the staff's guide, and the place in it that explains a page of the panel. */
import type { WrittenLocale } from '../text/script/scripts.ts'

/** Chapters in reading order; the file of a chapter has its name in every language. */
export const guideChapters = ['first-day', 'prices', 'chat', 'courses', 'translations', 'people', 'backups'] as const
export type GuideChapter = (typeof guideChapters)[number]

/** Tells whether a text is the name of a chapter. */
export const isGuideChapter = (name: string): name is GuideChapter =>
  (guideChapters as readonly string[]).includes(name)

/** Chapter and anchor for the key of a help topic. */
export const guidePlaces: Readonly<Record<string, `${GuideChapter}#${string}`>> = {
  home: 'first-day#begin',
  profile: 'first-day#own-way',
  'profile.notifications': 'first-day#own-way',
  'profile.security': 'first-day#own-way',
  import: 'prices#import',
  'import.id': 'prices#import',
  'price-list': 'prices#fill-in',
  'price-list.index': 'prices#fill-in',
  'price-list.changes': 'prices#read',
  'price-list.chart': 'prices#read',
  'price-list.map': 'prices#read',
  'price-list.bulletin': 'prices#read',
  chats: 'chat#answer',
  consultation: 'chat#questions',
  'e-learning': 'courses#build',
  'e-learning.lesson-groups-create': 'courses#build',
  'e-learning.lessons': 'courses#build',
  'e-learning.progress.index': 'courses#progress',
  translations: 'translations#find',
  'translations.resource.locale': 'translations#translate',
  consultants: 'people#add',
  'people.users': 'people#add',
  'people.staff': 'people#add',
  permissions: 'people#roles',
  trash: 'backups#record',
}

/**
 * Returns the address of the guide's text about a page of the panel.
 *
 * @param locale - The language of the reader, with its script.
 * @param topic - The key of the page's help topic.
 * @returns A path on the server; undefined for a page that no chapter is about.
 * @example
 * guideAddress('kaa', 'chats') // '/guide/kaa/chat#answer'
 */
export function guideAddress(locale: WrittenLocale, topic: string): string | undefined {
  const place = guidePlaces[topic]
  return place === undefined ? undefined : `/guide/${locale}/${place}`
}
