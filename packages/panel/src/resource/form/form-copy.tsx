/** Fills a missing language of a record with the texts of another language. */
import { type Locale, localeNames, locales } from '@dala/model'
import { useWatch } from 'react-hook-form'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { hasText } from './values.ts'
import type { ResourceForm } from './use-resource-form.ts'

/**
 * Languages that an empty language can be copied from; undefined when it has text, or there is no other
 * language with text.
 */
function useCopySources(form: ResourceForm, language: Locale): Locale[] | undefined {
  const writtenLanguages = useWatch({
    control: form.form.control,
    name: 'texts',
    compute: (texts) => locales.filter((locale) => hasText(texts[locale])),
  })
  if (form.isLocked || writtenLanguages.includes(language)) return undefined
  return writtenLanguages.length > 0 ? writtenLanguages : undefined
}

interface CopyFromProps {
  form: ResourceForm
  language: Locale
  sourceLocales: readonly Locale[]
}

function CopyFrom({ form, language, sourceLocales: sources }: CopyFromProps) {
  const t = useT()
  const copy = (source: Locale) => {
    for (const [name, value] of Object.entries(form.form.getValues().texts[source] ?? {})) {
      form.form.setValue(`texts.${language}.${name}`, value, { shouldDirty: true })
    }
  }
  const [onlySource] = sources
  if (sources.length === 1 && onlySource)
    return (
      <Button onClick={() => copy(onlySource)}>
        {t('action.copyFromLanguage', { language: localeNames[onlySource] })}
      </Button>
    )
  return (
    <Menu align="start" trigger={<Button>{t('form.copyFrom')}</Button>}>
      {({ Item }) =>
        sources.map((source) => (
          <Item key={source} onClick={() => copy(source)}>
            <span lang={source}>{localeNames[source]}</span>
          </Item>
        ))
      }
    </Menu>
  )
}

/** Note above the fields of a language that has no text yet. */
export function EmptyLanguage({ form, language }: { form: ResourceForm; language: Locale }) {
  const t = useT()
  const sourceLocales = useCopySources(form, language)
  if (!sourceLocales) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-2 bg-sunken px-4 py-3 md:col-span-2">
      <span className="text-muted">{t('form.emptyIn', { language: localeNames[language] })}</span>
      <CopyFrom form={form} language={language} sourceLocales={sourceLocales} />
    </div>
  )
}
