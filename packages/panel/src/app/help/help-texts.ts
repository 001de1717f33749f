/**
 * The texts of the help, one file per language, loaded in the background so that they are available without a
 * connection.
 */
import type { WrittenLocale } from '@dala/model'
import { preload, retryOrReload } from '../../ui/lazy-part.ts'

export type HelpTexts = Readonly<Record<string, string>>

const files: Readonly<Record<WrittenLocale, () => Promise<{ default: HelpTexts }>>> = {
  en: () => import('@dala/model/labels/help/en.json'),
  ru: () => import('@dala/model/labels/help/ru.json'),
  uz: () => import('@dala/model/labels/help/uz.json'),
  'uz-Cyrl': () => import('virtual:help/uz-Cyrl'),
  kaa: () => import('@dala/model/labels/help/kaa.json'),
  'kaa-Cyrl': () => import('virtual:help/kaa-Cyrl'),
}

const loadedTexts = new Map<WrittenLocale, Promise<HelpTexts>>()

/**
 * Loads the help texts of a language once.
 *
 * @param locale - The language.
 * @returns The texts by key; without a connection the promise waits for one.
 */
export function helpTexts(locale: WrittenLocale): Promise<HelpTexts> {
  const existingTexts = loadedTexts.get(locale)
  if (existingTexts) return existingTexts
  const textsPromise = retryOrReload(files[locale]).then((file) => file.default)
  loadedTexts.set(locale, textsPromise)
  // Missing help texts are retried later, when the server has a newer panel.
  textsPromise.catch(() => loadedTexts.delete(locale))
  return textsPromise
}

/** Loads the texts of a language before the user opens the help. */
export function preloadHelpTexts(locale: WrittenLocale): void {
  preload(files[locale])
}
