/** Texts of decisions of routing: names, and reasons in the language of the user. */
import { isLocale, type Locale, type RoutingTrial } from '@dala/model'
import { nameOfCard } from '../../api/error-toasts.ts'
import { formatNumber, type Translate } from '../../lib/format.ts'

export type RoutedReason = RoutingTrial['reasons'][number]

/** Returns the name of a person in a decision; people may have been removed since. */
export const nameOfRouted = (t: Translate, person: RoutingTrial['person']): string =>
  person ? nameOfCard(person) : t('routing.removed')

/** Returns why a person gets a question or does not, one text for each reason. */
export function reasonTexts(t: Translate, locale: Locale, { codes, open, limit }: RoutedReason): string[] {
  const numbers = { open: formatNumber(locale, open), limit: limit === null ? '' : formatNumber(locale, limit) }
  return codes.map((code) => t(`routing.reason.${code}`, numbers))
}

/** A question that is tried on the rules, as the inputs hold it. */
export interface TriedQuestion {
  category: unknown
  region: unknown
  language: string
  at: string | null
}

const idOf = (value: unknown): number | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : null

/** Returns the body of a trial; undefined while the typed time is no time. */
export function toTrial({ category, region, language, at }: TriedQuestion) {
  if (at !== null && Number.isNaN(Date.parse(at))) return undefined
  return { category: idOf(category), region: idOf(region), language: isLocale(language) ? language : null, at }
}
