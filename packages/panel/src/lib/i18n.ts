/** The messages of the interface: one catalogue per language, loaded when the language is first chosen. */
import type { Locale, MessageCandidates, MessageId } from '@dala/model'
import { setupI18n, type Messages } from '@lingui/core'
import { useSyncExternalStore } from 'react'
import { formatNumber, pluralLanguage, type Translate } from './format.ts'

type Load = () => Promise<{ messages: Messages }>
/** Messages of the sign-in pages; of lists; and those that the first list does not need. */
type Part = 'start' | 'panel' | 'features'

const catalogues: Readonly<Record<Part, Readonly<Record<Locale, Load>>>> = {
  start: {
    en: () => import('virtual:catalogue/en'),
    ru: () => import('virtual:catalogue/ru'),
    uz: () => import('virtual:catalogue/uz'),
    kaa: () => import('virtual:catalogue/kaa'),
  },
  panel: {
    en: () => import('virtual:catalogue/en/panel'),
    ru: () => import('virtual:catalogue/ru/panel'),
    uz: () => import('virtual:catalogue/uz/panel'),
    kaa: () => import('virtual:catalogue/kaa/panel'),
  },
  features: {
    en: () => import('virtual:catalogue/en/features'),
    ru: () => import('virtual:catalogue/ru/features'),
    uz: () => import('virtual:catalogue/uz/features'),
    kaa: () => import('virtual:catalogue/kaa/features'),
  },
}

const i18n = setupI18n()
const listeners = new Set<() => void>()
let active: Locale = 'ru'
let latestWish: { readonly locale: Locale } | undefined
let latest: Promise<void> | undefined
const wantedParts = new Set<Part>(['start'])
/** Loaded or loading messages by part. */
const loaded = new Map<Part, Promise<void>>()
/** A new function for each activation, so that components that use it render again. */
let translate: Translate = translateNow

function translateNow(id: MessageId, values?: Readonly<Record<string, string | number>>): string {
  const count = values?.['count']
  return i18n._(id, typeof count === 'number' ? { shown: formatNumber(active, count), ...values } : values)
}

/**
 * Loads the catalogue of a language and switches to it. Of two calls the later one wins, whichever arrives
 * first. Both promises resolve when its messages are shown, because callers must not draw before that.
 */
export function activateLanguage(locale: Locale): Promise<void> {
  latestWish = { locale }
  latest = activate(latestWish)
  return latest
}

async function activate(wish: { readonly locale: Locale }): Promise<void> {
  const { locale } = wish
  const parts = await Promise.all([...wantedParts].map((part) => catalogues[part][locale]()))
  if (latestWish !== wish) return latest
  active = locale
  const messages = Object.fromEntries(parts.flatMap((part) => Object.entries(part.messages)))
  i18n.loadAndActivate({ locale, locales: pluralLanguage[locale], messages })
  translate = (id, values) => translateNow(id, values)
  document.documentElement.lang = locale
  for (const listener of listeners) listener()
}

/** Loads a part of the messages, for this language and every one chosen later; retried after a failure. */
function loadWords(part: Part): Promise<void> {
  const known = loaded.get(part)
  if (known) return known
  wantedParts.add(part)
  const asked = activateLanguage(latestWish?.locale ?? active).catch((error: unknown) => {
    loaded.delete(part)
    throw error
  })
  loaded.set(part, asked)
  return asked
}

/** Loads the messages of lists, which the sign-in pages do not need. */
export const loadPanelWords = (): Promise<void> => loadWords('panel')

/** Loads the messages of lists and those that the first list does not need. */
export async function loadFeatureWords(): Promise<void> {
  wantedParts.add('panel')
  await loadWords('features')
}

/** Translates an id now, for code outside components. `{shown}` is the formatted `count`. */
export const t: Translate = translateNow

/** The language shown, for code outside components. */
function activeLanguage(): Locale {
  return active
}

/** Whether the catalogue has a message for a key that was built by convention. */
export function hasMessage(id: string): id is MessageId {
  return Object.hasOwn(i18n.messages, id)
}

/**
 * The message of the first key that exists: a resource's own, then the shared one, then the last part of the
 * key.
 */
export function tFirst(candidates: MessageCandidates): string {
  const found = candidates.find(hasMessage)
  return found ? t(found) : (candidates.at(-1)?.split('.').at(-1) ?? '')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The translate function for a component, which renders again when the language changes. */
export function useT(): Translate {
  return useSyncExternalStore(subscribe, () => translate)
}

/** The language shown, for a component. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, activeLanguage)
}
