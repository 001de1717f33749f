/** All languages before signing in, for users who cannot read the page yet. */
import { localeNames, locales } from '@dala/model'
import { useT } from '../../lib/i18n.ts'
import { setPreferences, usePreferences } from '../../lib/preferences.ts'
import { languageNameClass, languageNamesClass } from './language-names-class.ts'

export function LanguageNames() {
  const t = useT()
  const { language } = usePreferences()
  return (
    <fieldset aria-label={t('lang.interface')} className={languageNamesClass}>
      {locales.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === language}
          onClick={() => setPreferences({ language: locale })}
          className={languageNameClass}
        >
          {localeNames[locale]}
        </button>
      ))}
    </fieldset>
  )
}
