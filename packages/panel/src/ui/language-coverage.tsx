/** Which of the four languages a record has: filled chips, and dashed outlines for the missing ones. */
import { type Locale, localeNames, locales } from '@dala/model'
import { cx } from '../lib/class-names.ts'
import { formatList } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'

export function LanguageCoverage({ present }: { present: readonly Locale[] }) {
  const t = useT()
  const names = locales.filter((locale) => present.includes(locale)).map((locale) => localeNames[locale])
  return (
    <span className="inline-flex gap-[3px]">
      <span className="sr-only">
        {names.length > 0 ? t('lang.translatedInto', { languages: formatList(t, names) }) : t('lang.translatedNowhere')}
      </span>
      {locales.map((locale) => (
        <span
          key={locale}
          aria-hidden
          className={cx(
            'rounded-1 border px-[5px] text-xs leading-[20px] font-semibold',
            present.includes(locale)
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

/** The code of the language a section is edited in. */
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
