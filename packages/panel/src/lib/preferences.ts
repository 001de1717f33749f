/** The preferences store: the user's choices, stored in local storage and applied to <html> at once. */
import { useSyncExternalStore } from 'react'
import {
  type ColourMode,
  colourModes,
  isScriptLocale,
  type Locale,
  localeOf,
  locales,
  type Palette,
  palettes,
  presetAppearance,
  type Script,
  scriptOf,
  scripts,
  type WrittenLocale,
  writtenLocale,
} from '@dala/model'
import { readStorage, storageKeys, writeStorage } from './storage-keys.ts'

export const cornerStyles = ['rounded', 'flat'] as const
type Radius = (typeof cornerStyles)[number]
export const directions = ['ltr', 'rtl'] as const
type Direction = (typeof directions)[number]
export const densities = ['comfortable', 'compact'] as const
type RowDensity = (typeof densities)[number]
/** Pages that the address `/app` can lead to; the first is the default (requirements §2). */
export const startPages = ['consultants', 'home'] as const
type StartPage = (typeof startPages)[number]
export const displayModes = ['list', 'thumb', 'image'] as const
type DisplayMode = (typeof displayModes)[number]
/** Order of the side menu's states on repeated clicks of its button (requirements §4). */
export const menuStates = ['default', 'hidden-sub', 'hidden-main', 'temporary'] as const
export type MenuState = (typeof menuStates)[number]

export interface Preferences {
  readonly language: Locale
  /** Script of the interface in a language that has two. */
  readonly script: Script
  readonly palette: Palette
  readonly mode: ColourMode
  readonly radius: Radius
  readonly direction: Direction
  readonly density: RowDensity
  readonly startPage: StartPage
  readonly displayMode: DisplayMode
  /**
   * State of the side menu after the first press of its button; before it the width of the window decides.
   */
  readonly menuState: MenuState | undefined
}

/** Milliseconds between a change of colour and the required reload (requirements §9). */
export const reloadDelay = 500

function readChoice<T extends string>(allowedValues: readonly T[], value: string | null | undefined): T | undefined {
  return allowedValues.find((candidate) => candidate === value)
}

/** Reads a display mode and a colour in one word, `dark.blueolympic`; undefined for another word. */
function readTheme(theme: string | null | undefined): Pick<Preferences, 'mode' | 'palette'> | undefined {
  const [modePart, palettePart] = (theme ?? '').split('.')
  const [mode, palette] = [readChoice(colourModes, modePart), readChoice(palettes, palettePart)]
  return mode && palette && { mode, palette }
}

/** Reads all preferences; missing or unknown values get their default (requirements §9). */
function readPreferences(): Preferences {
  // The server names the colours of the organisation in the page.
  const theme =
    readTheme(readStorage(storageKeys.theme)) ??
    readTheme(document.documentElement.dataset['theme']) ??
    presetAppearance
  return {
    language: readChoice(locales, readStorage(storageKeys.language)) ?? 'ru',
    script: readChoice(scripts, readStorage(storageKeys.script)) ?? 'latin',
    palette: theme.palette,
    mode: theme.mode,
    radius: readChoice(cornerStyles, readStorage(storageKeys.radius)) ?? 'rounded',
    direction: readChoice(directions, readStorage(storageKeys.direction)) ?? 'ltr',
    density: readChoice(densities, readStorage(storageKeys.density)) ?? 'comfortable',
    startPage: readChoice(startPages, readStorage(storageKeys.startPage)) ?? 'consultants',
    displayMode: readChoice(displayModes, readStorage(storageKeys.displayMode)) ?? 'list',
    menuState: readChoice(menuStates, readStorage(storageKeys.menuState)),
  }
}

/** The language of the interface with its script. */
export const writtenLanguage = ({ language, script }: Pick<Preferences, 'language' | 'script'>): WrittenLocale =>
  writtenLocale(language, script)

let isOnPaper = false

/** Applies the appearance to <html>; `first-paint.js` does the same before the first paint. */
function applyPreferences(preferences: Preferences): void {
  const root = document.documentElement
  root.dataset['palette'] = preferences.palette
  root.dataset['mode'] = isOnPaper ? 'light' : preferences.mode
  root.dataset['radius'] = preferences.radius
  root.dataset['density'] = preferences.density
  root.dir = preferences.direction
  root.lang = writtenLanguage(preferences)
}

let currentPreferences = readPreferences()
const listeners = new Set<() => void>()

function publishPreferences(newPreferences: Preferences): void {
  currentPreferences = newPreferences
  applyPreferences(newPreferences)
  for (const listener of listeners) listener()
}

/** Reloads the page; tests replace this function, because they cannot reload a document. */
export const pageReload = { run: () => window.location.reload() }

/** Stores and applies the given preferences; a change of colour or mode reloads the page 500 ms later. */
export function setPreferences(change: Partial<Preferences>): void {
  const newPreferences = { ...currentPreferences, ...change }
  const hasNewColours =
    newPreferences.palette !== currentPreferences.palette || newPreferences.mode !== currentPreferences.mode
  if ('palette' in change || 'mode' in change)
    writeStorage(storageKeys.theme, `${newPreferences.mode}.${newPreferences.palette}`)
  if ('language' in change) writeStorage(storageKeys.language, newPreferences.language)
  if ('script' in change) writeStorage(storageKeys.script, newPreferences.script)
  if ('radius' in change) writeStorage(storageKeys.radius, newPreferences.radius)
  if ('direction' in change) writeStorage(storageKeys.direction, newPreferences.direction)
  if ('density' in change) writeStorage(storageKeys.density, newPreferences.density)
  if ('startPage' in change) writeStorage(storageKeys.startPage, newPreferences.startPage)
  if ('displayMode' in change) writeStorage(storageKeys.displayMode, newPreferences.displayMode)
  if ('menuState' in change) {
    writeStorage(storageKeys.menuState, newPreferences.menuState ?? null)
    writeStorage(storageKeys.menuType, 'menu-default')
  }
  publishPreferences(newPreferences)
  if (hasNewColours) setTimeout(() => pageReload.run(), reloadDelay)
}

/** Chooses a language of the interface; the script stays when the language has only one. */
export function chooseLanguage(written: WrittenLocale): void {
  const language = localeOf(written)
  setPreferences(isScriptLocale(language) ? { language, script: scriptOf(written) } : { language })
}

/** Adopts the language and the script of the account, unless the user has chosen a language in this browser. */
export function suggestLanguage(language: Locale | null | undefined, script?: Script | null): void {
  if (language && readStorage(storageKeys.language) === null) chooseLanguage(writtenLocale(language, script))
}

/** Deletes the display mode of lists, which ends with the session (requirements §4). */
export function forgetDisplayMode(): void {
  writeStorage(storageKeys.displayMode, null)
  publishPreferences({ ...currentPreferences, displayMode: 'list' })
}

export function getPreferences(): Preferences {
  return currentPreferences
}

/** Reads the stored preferences again, after a change in another tab or in a test. */
export function reloadPreferences(): void {
  publishPreferences(readPreferences())
}

function subscribePreferences(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Current preferences of the user, for a component. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribePreferences, getPreferences)
}

for (const name of ['beforeprint', 'afterprint']) {
  window.addEventListener(name, () => {
    // Printed pages are light, because paper is white.
    isOnPaper = name === 'beforeprint'
    applyPreferences(currentPreferences)
  })
}

const syncedKeys: ReadonlySet<string> = new Set(Object.values(storageKeys))
window.addEventListener('storage', (event) => {
  if (event.key === null || syncedKeys.has(event.key)) reloadPreferences()
})
applyPreferences(currentPreferences)
