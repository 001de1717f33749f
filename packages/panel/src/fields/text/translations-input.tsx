/** Input for one short text in all four languages, side by side in one form. */
import { type Locale, localeNames, locales, type Translations } from '@dala/model'
import { useFieldControl, useFieldLabel } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'

export interface TranslationsInputProps {
  value: unknown
  onChange: (value: Translations) => void
  onBlur: () => void
}

function isTranslations(value: unknown): value is Translations {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function TranslationsInput({ value, onChange, onBlur }: TranslationsInputProps) {
  const label = useFieldLabel()
  const { id, ...control } = useFieldControl()
  // A plain string in place of translations is the same text in every language (contract §8).
  const texts: Translations = typeof value === 'string' ? { en: value } : isTranslations(value) ? value : {}
  const change = (locale: Locale, text: string) => {
    const newTexts = { ...texts, [locale]: text }
    if (text === '') delete newTexts[locale]
    onChange(newTexts)
  }
  return (
    <div className="grid gap-2 md:grid-cols-2">
      {locales.map((locale, index) => (
        <div key={locale} className="flex items-center gap-2">
          <span id={`${id}-${locale}`} lang={locale} className="w-9 shrink-0 text-sm font-semibold text-muted">
            <span aria-hidden>{locale}</span>
            <span className="sr-only">{localeNames[locale]}</span>
          </span>
          <Input
            {...control}
            {...(index === 0 && id !== undefined && { id })}
            aria-labelledby={[label, `${id}-${locale}`].filter(Boolean).join(' ')}
            lang={locale}
            value={texts[locale] ?? ''}
            onChange={(event) => change(locale, event.target.value)}
            onBlur={onBlur}
          />
        </div>
      ))}
    </div>
  )
}
