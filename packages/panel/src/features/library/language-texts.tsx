/** One text of a picture in all four languages; missing languages are visible and announced. */
import { type Locale, localeNames, locales, type Translations } from '@dala/model'
import { languagesIn } from '../../fields/picture/library/file.ts'
import { cx } from '../../lib/class-names.ts'
import { formatList } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Field, useFieldLabel } from '../../ui/inputs/field.tsx'
import { Textarea } from '../../ui/inputs/input.tsx'

interface LanguageTextsProps {
  label: string
  help?: string
  texts: Translations
  onChange: (texts: Translations) => void
}

export function LanguageTexts({ label, help, texts, onChange }: LanguageTextsProps) {
  const t = useT()
  const missingLocales = locales.filter((locale) => !languagesIn(texts).includes(locale))
  return (
    <Field
      group
      label={label}
      help={help}
      aside={
        <span className="text-end text-xs text-muted">
          {missingLocales.length > 0
            ? t('library.altMissing', { languages: formatList(t, missingLocales) })
            : t('library.altComplete')}
        </span>
      }
    >
      <Texts texts={texts} onChange={onChange} />
    </Field>
  )
}

function Texts({ texts, onChange }: Pick<LanguageTextsProps, 'texts' | 'onChange'>) {
  const label = useFieldLabel()
  const change = (locale: Locale, text: string) => {
    const { [locale]: _old, ...otherTexts } = texts
    onChange(text === '' ? otherTexts : { ...otherTexts, [locale]: text })
  }
  return locales.map((locale) => (
    <div key={locale} className="flex items-start gap-2">
      <span
        id={`${label}-${locale}`}
        lang={locale}
        className={cx(
          'mt-2 w-10 shrink-0 rounded-1 border text-center text-xs leading-[20px] font-semibold',
          texts[locale]
            ? 'border-transparent bg-brand-soft text-on-brand-soft'
            : 'border-dashed border-line-strong text-muted',
        )}
      >
        <span aria-hidden>{locale}</span>
        <span className="sr-only">{localeNames[locale]}</span>
      </span>
      <Textarea
        id={`${label}-${locale}-text`}
        rows={1}
        aria-labelledby={`${label} ${label}-${locale}`}
        lang={locale}
        value={texts[locale] ?? ''}
        onChange={({ target }) => change(locale, target.value)}
        className="field-sizing-content"
      />
    </div>
  ))
}
