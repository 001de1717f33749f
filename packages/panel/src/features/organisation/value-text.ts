/** Values of the organisation's settings as text. */
import {
  type Locale,
  localeNames,
  locales,
  type LocalTexts,
  type OrganisationChange,
  type OrganisationKey,
  type OrganisationSetting,
  organisationSettings,
  type OrganisationValue,
} from '@dala/model'
import { formatNumber, type Translate, weekdayNames } from '../../lib/format.ts'
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

/** Returns working hours with the names of the days: `Mon–Sat 09:00–18:00`. */
function weekText(t: Translate, hours: string): string {
  const names = weekdayNames(t, 'short')
  return hours.replace(
    /([1-7])(?:-([1-7]))? ([\d:]+)-([\d:]+)/g,
    (_, first: string, last: string | undefined, ...clock) => {
      const days = [first, last].flatMap((day) => (day === undefined ? [] : names[Number(day) - 1]))
      return `${days.join('–')} ${clock.slice(0, 2).join('–')}`
    },
  )
}

/**
 * Returns an option of a choice as text; colours have the names by which everybody chooses them.
 *
 * @param key - The setting.
 * @param option - The option.
 */
export const choiceText = (key: OrganisationKey, option: string): string =>
  firstTranslation([`organisation.values.${key}.${option}`, `theme.${option}`])

/**
 * Returns a value of a setting as text.
 *
 * @param t - Translates messages.
 * @param locale - The language of numbers.
 * @param key - The setting.
 * @param value - The value; null is the default.
 */
export function valueText(t: Translate, locale: Locale, key: OrganisationKey, value: OrganisationValue | null): string {
  if (value === null)
    return t(organisationSettings[key].kind === 'picture' ? 'organisation.isNotSet' : 'organisation.default')
  if (typeof value === 'boolean') return t(value ? 'action.yes' : 'action.no')
  const setting: OrganisationSetting = organisationSettings[key]
  if (typeof value === 'number') {
    const shown = formatNumber(locale, value)
    return setting.kind === 'amount' ? t(`unit.${setting.unit}`, { count: value, shown }) : shown
  }
  if (typeof value === 'string') return setting.kind === 'week' ? weekText(t, value) : choiceText(key, value)
  if ('failures' in value)
    return t('organisation.limitText', {
      failures: formatNumber(locale, value.failures),
      time: timeText(t, locale, value.seconds),
    })
  if ('id' in value) return value.name
  const texts = locales.flatMap((language) =>
    value[language] === null ? [] : `${localeNames[language]}: ${value[language]}`,
  )
  return texts.length > 0 ? texts.join('; ') : t('organisation.isNotSet')
}

const isTexts = (value: OrganisationValue | null): value is LocalTexts =>
  typeof value === 'object' && value !== null && 'en' in value

/**
 * Returns what a change did as text: the values before and after, of texts only in the languages that changed.
 *
 * @param t - Translates messages.
 * @param locale - The language of numbers.
 * @param change - The change.
 */
export function changeText(t: Translate, locale: Locale, { key, before, after }: OrganisationChange): string {
  const fromTo = (from: string, to: string) => t('organisation.fromTo', { before: from, after: to })
  if (!isTexts(before) && !isTexts(after))
    return fromTo(valueText(t, locale, key, before), valueText(t, locale, key, after))
  const textOf = (value: OrganisationValue | null, language: Locale) =>
    (isTexts(value) ? value[language] : null) ?? t('organisation.isNotSet')
  return locales
    .map((language) => [language, textOf(before, language), textOf(after, language)] as const)
    .filter(([, from, to]) => from !== to)
    .map(([language, from, to]) => `${localeNames[language]}: ${fromTo(from, to)}`)
    .join('\n')
}
