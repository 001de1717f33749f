/** The files of the staff's guide: chapters in four languages, and their pictures. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GuideChapter, isLocale, type Locale } from '@dala/model'

/** Folder of the guide, in the repository and in a release. */
export const guideFolder = join(import.meta.dirname, '../../../../../docs/guide')

/** Page with the list of chapters. */
export const contentsPage = 'index'
/** Page for an address that the guide does not have. */
export const missingPage = 'not-found'

export type GuidePage = GuideChapter | typeof contentsPage | typeof missingPage

/**
 * Reads the source of a page.
 *
 * @param locale - The language.
 * @param page - The chapter, the contents or the page for unknown addresses.
 * @returns Markdown.
 */
export const readSource = (locale: Locale, page: GuidePage): string =>
  readFileSync(join(guideFolder, locale, `${page}.md`), 'utf8')

/**
 * Returns the first heading of a page.
 *
 * @param source - Markdown.
 */
export const titleOf = (source: string): string => /^# (.+)$/mu.exec(source)?.[1] ?? ''

/** Name of a picture's file: no other file of the folder has an address. */
const pictureName = /^[\w-]+\.webp$/u

/**
 * Reads a picture.
 *
 * @param locale - The folder of the picture, a language.
 * @param name - The name of its file.
 * @returns Its bytes; undefined when there is none.
 */
export function readPicture(locale: string, name: string): Buffer | undefined {
  if (!isLocale(locale) || !pictureName.test(name)) return undefined
  const path = join(guideFolder, 'pictures', locale, name)
  return existsSync(path) ? readFileSync(path) : undefined
}
