/**
 * The messages of the interface: one catalogue per language and script, loaded when the language is first
 * chosen.
 */
import {
  type Locale,
  localeOf,
  type MessageCandidates,
  type MessageId,
  scriptOf,
  type WrittenLocale,
  writtenLocale,
} from '@dala/model'
import { type I18n, setupI18n, type Messages } from '@lingui/core'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { formatNumber, pluralLanguage, type Translate } from './format.ts'

type LoadMessages = () => Promise<{ messages: Messages }>
/**
 * Parts of the catalogue: messages of the sign-in pages, of lists, and those that the first list does not
 * need.
 */
type CataloguePart = 'start' | 'panel' | 'features'

const catalogues: Readonly<Record<CataloguePart, Readonly<Record<WrittenLocale, LoadMessages>>>> = {
  start: {
    en: () => import('virtual:catalogue/en'),
    ru: () => import('virtual:catalogue/ru'),
    uz: () => import('virtual:catalogue/uz'),
    'uz-Cyrl': () => import('virtual:catalogue/uz-Cyrl'),
    kaa: () => import('virtual:catalogue/kaa'),
    'kaa-Cyrl': () => import('virtual:catalogue/kaa-Cyrl'),
  },
  panel: {
    en: () => import('virtual:catalogue/en/panel'),
    ru: () => import('virtual:catalogue/ru/panel'),
    uz: () => import('virtual:catalogue/uz/panel'),
    'uz-Cyrl': () => import('virtual:catalogue/uz-Cyrl/panel'),
    kaa: () => import('virtual:catalogue/kaa/panel'),
    'kaa-Cyrl': () => import('virtual:catalogue/kaa-Cyrl/panel'),
  },
  features: {
    en: () => import('virtual:catalogue/en/features'),
    ru: () => import('virtual:catalogue/ru/features'),
    uz: () => import('virtual:catalogue/uz/features'),
    'uz-Cyrl': () => import('virtual:catalogue/uz-Cyrl/features'),
    kaa: () => import('virtual:catalogue/kaa/features'),
    'kaa-Cyrl': () => import('virtual:catalogue/kaa-Cyrl/features'),
  },
}

const i18n = setupI18n()
const listeners = new Set<() => void>()
let activeLocale: Locale = 'ru'
let activeWritten: WrittenLocale = 'ru'
let latestRequest: { readonly written: WrittenLocale } | undefined
let latestActivation: Promise<void> | undefined
const requestedParts = new Set<CataloguePart>(['start'])
/** Messages by part of the catalogue, loaded or loading. */
const loadedParts = new Map<CataloguePart, Promise<void>>()
/**
 * Translate function, created anew for each activation of a language, so that components that use it render
 * again.
 */
let activeTranslate: Translate = translateNow

function translateWith(
  catalogue: I18n,
  locale: Locale,
  id: MessageId,
  values?: Readonly<Record<string, string | number>>,
): string {
  if (!values) return catalogue._(id)
  const shownValues: Record<string, string | number> = { ...values }
  // The catalogue has `{#count}` for the `#` of a plural (`build/catalogues.ts`).
  for (const [name, value] of Object.entries(values))
    shownValues[`#${name}`] = typeof value === 'number' ? formatNumber(locale, value) : value
  const { count } = values
  return catalogue._(
    id,
    typeof count === 'number' ? { shown: formatNumber(locale, count), ...shownValues } : shownValues,
  )
}

function translateNow(id: MessageId, values?: Readonly<Record<string, string | number>>): string {
  return translateWith(i18n, activeLocale, id, values)
}

/** Returns the messages of all parts of a catalogue. */
function mergeMessages(parts: readonly { messages: Messages }[]): Messages {
  const messages: Messages = {}
  for (const loadedPart of parts) Object.assign(messages, loadedPart.messages)
  return messages
}

/**
 * Loads the catalogue of a language and switches to it. Of two calls the later one wins, whichever arrives
 * first. Both promises resolve when its messages are shown, because callers must not draw before that.
 */
export function activateLanguage(written: WrittenLocale): Promise<void> {
  latestRequest = { written }
  latestActivation = activateLocale(latestRequest)
  return latestActivation
}

async function activateLocale(request: { readonly written: WrittenLocale }): Promise<void> {
  const { written } = request
  const parts = await Promise.all([...requestedParts].map((cataloguePart) => catalogues[cataloguePart][written]()))
  if (latestRequest !== request) return latestActivation
  const locale = localeOf(written)
  activeLocale = locale
  activeWritten = written
  const messages = mergeMessages(parts)
  i18n.loadAndActivate({ locale, locales: pluralLanguage[locale], messages })
  activeTranslate = (id, values) => translateNow(id, values)
  document.documentElement.lang = written
  for (const listener of listeners) listener()
}

/**
 * Loads a part of the messages, for the active language and every one chosen later; retried after a failure.
 */
function loadMessages(cataloguePart: CataloguePart): Promise<void> {
  const existingPart = loadedParts.get(cataloguePart)
  if (existingPart) return existingPart
  requestedParts.add(cataloguePart)
  const activation = activateLanguage(latestRequest?.written ?? activeWritten).catch((error: unknown) => {
    loadedParts.delete(cataloguePart)
    throw error
  })
  loadedParts.set(cataloguePart, activation)
  return activation
}

/** Loads the messages of lists, which the sign-in pages do not need. */
export const loadPanelMessages = (): Promise<void> => loadMessages('panel')

/** Loads the messages of lists and those that the first list does not need. */
export async function loadFeatureMessages(): Promise<void> {
  requestedParts.add('panel')
  await loadMessages('features')
}

/** Translates a message id now, for code outside components. `{shown}` is the formatted `count`. */
export const t: Translate = translateNow

/** Language of the panel, for code outside components. */
function activeLanguage(): Locale {
  return activeLocale
}

/** Whether the catalogue has a message for a key that was built by convention. */
export function hasMessage(id: string): id is MessageId {
  return Object.hasOwn(i18n.messages, id)
}

/**
 * The message of the first key that exists: a resource's own, then the shared one, then the last part of the
 * key.
 */
export function firstTranslation(candidates: MessageCandidates): string {
  const messageId = candidates.find(hasMessage)
  return messageId ? t(messageId) : (candidates.at(-1)?.split('.').at(-1) ?? '')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The translate function of a part of the page that is in another language than the panel. */
export const TranslateContext = createContext<Translate | undefined>(undefined)

/**
 * Loads all messages of a language, in the script of the panel, for a part of the page.
 *
 * @returns The translate function for `TranslateContext`; the language of the panel stays.
 */
export async function loadTranslate(locale: Locale): Promise<Translate> {
  const written = writtenLocale(locale, scriptOf(activeWritten))
  const parts = await Promise.all(Object.values(catalogues).map((languages) => languages[written]()))
  const messages = mergeMessages(parts)
  const catalogue = setupI18n({ locale, locales: pluralLanguage[locale], messages: { [locale]: messages } })
  return (id, values) => translateWith(catalogue, locale, id, values)
}

/** The translate function for a component, which renders again when the language changes. */
export function useT(): Translate {
  const ownTranslate = useContext(TranslateContext)
  const panelTranslate = useSyncExternalStore(subscribe, () => activeTranslate)
  return ownTranslate ?? panelTranslate
}

/** Language of the panel with its script, for a component. */
export function useWrittenLocale(): WrittenLocale {
  return useSyncExternalStore(subscribe, () => activeWritten)
}

/** Language of the panel, for a component. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, activeLanguage)
}
