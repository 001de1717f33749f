/** The languages of a record: filled chips, amber with an edge for outdated ones, dashed for missing ones. */
import { type Locale, localeNames, locales } from '@dala/model'
import { cx } from '../lib/class-names.ts'
import { formatList } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'

export interface LanguageCoverageProps {
  availableLocales: readonly Locale[]
  /** Languages whose text is older than its source text. */
  outdated?: readonly Locale[]
}

const namesOf = (languages: readonly Locale[]) =>
  locales.filter((locale) => languages.includes(locale)).map((locale) => localeNames[locale])

export function LanguageCoverage({ availableLocales: shownLocales, outdated = [] }: LanguageCoverageProps) {
  const t = useT()
  const names = namesOf(shownLocales)
  return (
    <span className="inline-flex gap-[3px]">
      <span className="sr-only">
        {names.length > 0 ? t('lang.translatedInto', { languages: formatList(t, names) }) : t('lang.translatedNowhere')}
      </span>
      {outdated.length > 0 ? (
        <span className="sr-only">{t('lang.outdatedIn', { languages: formatList(t, namesOf(outdated)) })}</span>
      ) : null}
      {locales.map((locale) => (
        <span
          key={locale}
          aria-hidden
          className={cx(
            'inline-flex items-center gap-1 rounded-1 border px-[5px] text-xs leading-[20px] font-semibold',
            outdated.includes(locale)
              ? 'border-warning bg-warning-soft text-warning-text'
              : shownLocales.includes(locale)
                ? 'border-transparent bg-brand-soft text-on-brand-soft'
                : 'border-dashed border-line-strong text-muted',
          )}
        >
          {locale}
        </span>
      ))}
    </span>
  )
}

/** Chip with the code of the language that a section is edited in. */
export function LanguageChip({ locale }: { locale: Locale }) {
  return (
    <span
      className="ms-1 rounded-1 bg-brand-soft px-1.5 py-0.5 text-xs font-semibold text-on-brand-soft"
      title={localeNames[locale]}
    >
      {locale}
    </span>
  )
}
