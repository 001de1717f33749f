/** All languages and scripts before signing in, for users who cannot read the page yet. */
import { writtenLocaleNames, writtenLocales } from '@dala/model'
import { useT } from '../../lib/i18n.ts'
import { chooseLanguage, usePreferences, writtenLanguage } from '../../lib/preferences.ts'
import { languageNameClass, languageNamesClass } from './language-names-class.ts'

export function LanguageNames() {
  const t = useT()
  const language = writtenLanguage(usePreferences())
  return (
    <fieldset aria-label={t('lang.interface')} className={languageNamesClass}>
      {writtenLocales.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === language}
          onClick={() => chooseLanguage(locale)}
          className={languageNameClass}
        >
          {writtenLocaleNames[locale]}
        </button>
      ))}
    </fieldset>
  )
}
