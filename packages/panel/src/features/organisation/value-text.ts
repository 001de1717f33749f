/** Values of the organisation's settings as text. */
import { type Locale, localeNames, locales, type OrganisationKey, type OrganisationValue } from '@dala/model'
import { formatNumber, type Translate } from '../../lib/format.ts'
import { firstTranslation } from '../../lib/i18n.ts'

/** Returns a time in the largest unit that gives a whole number. */
function timeText(t: Translate, locale: Locale, seconds: number): string {
  const [unit, length] =
    seconds % 3600 === 0
      ? (['hour', 3600] as const)
      : seconds % 60 === 0
        ? (['minute', 60] as const)
        : (['second', 1] as const)
  const count = seconds / length
  return t(`unit.${unit}`, { count, shown: formatNumber(locale, count) })
}

/**
 * Returns a value of a setting as text.
 *
 * @param t - Translates messages.
 * @param locale - The language of numbers.
 * @param key - The setting.
 * @param value - The value; null is the default.
 */
export function valueText(t: Translate, locale: Locale, key: OrganisationKey, value: OrganisationValue | null): string {
  if (value === null) return t('organisation.default')
  if (typeof value === 'boolean') return t(value ? 'action.yes' : 'action.no')
  if (typeof value === 'number') return t('unit.hour', { count: value, shown: formatNumber(locale, value) })
  if (typeof value === 'string') return firstTranslation([`organisation.values.${key}.${value}`])
  if ('failures' in value)
    return t('organisation.limitText', {
      failures: formatNumber(locale, value.failures),
      time: timeText(t, locale, value.seconds),
    })
  const texts = locales.flatMap((language) =>
    value[language] === null ? [] : `${localeNames[language]}: ${value[language]}`,
  )
  return texts.length > 0 ? texts.join('; ') : t('organisation.noText')
}
