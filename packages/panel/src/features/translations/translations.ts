/** The progress of all translations, and the address of each work list. */
import { type Locale, type Resource, resources, type Screen, screensOf, type TranslationProgress } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import type { CurrentUser } from '../../api/session.ts'
import { grantForUser } from '../../resource/use-may.ts'

/** Query of the counts of open translations, which any write may change. */
export const translationsQuery = queryOptions({
  queryKey: ['resource', 'translations'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/translations', { signal })).data,
  meta: { inPlace: true },
})

/** Kinds of open translations. */
const openTranslationKinds = ['missing', 'outdated'] as const
export type OpenTranslationKind = (typeof openTranslationKinds)[number]
export const isOpenTranslationKind = (value: unknown): value is OpenTranslationKind =>
  openTranslationKinds.some((kind) => kind === value)

/** The screen of a resource by its wire name, if the user may change its texts. */
export function translatedScreen(wire: string, me: CurrentUser): Screen | undefined {
  const resource = Object.values<Resource>(resources).find((listedResource) => listedResource.wire === wire)
  if (!resource?.localized || grantForUser(resource, 'update', me) === false) return undefined
  const screens = screensOf(resource)
  return screens.find(({ hidden }) => !hidden) ?? screens[0]
}

/** Address of the work list of a resource in a language. */
export const translationQueueAddress = (resource: string, locale: Locale) => `/app/translations/${resource}/${locale}`

type Counts = Pick<TranslationProgress, 'total' | 'current' | 'outdated' | 'missing'>

/** Sum of several counts of translations. */
export function sumOf(parts: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => parts.reduce((partialSum, languageCounts) => partialSum + languageCounts[name], 0)
  return { total: sum('total'), current: sum('current'), outdated: sum('outdated'), missing: sum('missing') }
}
