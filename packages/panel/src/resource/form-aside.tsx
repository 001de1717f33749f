/** Beside the form: its pictures, and how far each language is. */
import { type Entry, type Locale, localeNames, locales, type Resource } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { resourceQueries } from '../api/resource-queries.ts'
import { labelOf, useTitleOf } from '../fields/field-display.tsx'
import { cx } from '../lib/class-names.ts'
import { formatNumber } from '../lib/format.ts'
import { useLocale, useT } from '../lib/i18n.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { DeleteDialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormField } from './form-sections.tsx'
import { coverageOf, hasText } from './form-values.ts'
import type { FormPartProps, FormParts } from './screen-parts.ts'
import type { ResourceForm } from './use-resource-form.ts'

interface AsideProps extends FormPartProps {
  resource: Resource
  onLanguage: (locale: Locale) => void
}

export function FormAside({ resource, parts, ...rest }: AsideProps & { parts: FormParts }) {
  const { onLanguage: _, ...own } = rest
  return (
    <aside className="grid gap-5">
      {parts.Aside ? <parts.Aside {...own} /> : null}
      {(resource.form?.aside ?? []).map((name) => {
        const field = resource.fields[name]
        if (!field) return null
        return (
          <Sheet key={name} padded>
            <h2 className="mb-3.5 text-lg font-semibold">{labelOf(resource, name)}</h2>
            <FormField bare resource={resource} parts={parts} {...own} name={name} field={field} />
          </Sheet>
        )
      })}
      {resource.localized ? <Translations resource={resource} {...rest} /> : null}
    </aside>
  )
}

/** The panel of languages: dots by how much is there, counts, and what is missing. */
function Translations({ resource, form, record, language, onLanguage }: AsideProps) {
  const t = useT()
  const reader = useLocale()
  const texts = useWatch({ control: form.form.control, name: 'texts' })
  const [leaving, setLeaving] = useState<Locale | null>(null)
  const others = locales.filter((locale) => locale !== language && hasText(texts[locale]))
  return (
    <Sheet padded>
      <h2 className="mb-1.5 text-lg font-semibold">{t('form.translations')}</h2>
      <ul>
        {locales.map((locale) => {
          const { filled, all } = coverageOf(resource, texts[locale])
          const member = form.family.get(locale)
          return (
            <li key={locale} className="flex min-h-11 items-center gap-2.5 border-b border-line last:border-0">
              <Progress share={all === 0 ? 0 : filled / all} />
              <button
                type="button"
                lang={locale}
                aria-current={locale === language ? 'true' : undefined}
                onClick={() => onLanguage(locale)}
                className={cx(
                  'min-h-9 flex-1 text-start hover:text-brand-text',
                  locale === language && 'font-semibold',
                )}
              >
                {localeNames[locale]}
              </button>
              {member?.outdated ? <span className="text-xs text-warning-text">{t('form.outdated')}</span> : null}
              {filled === 0 && !member ? (
                <>
                  <span className="text-sm text-muted">{t('form.notStarted')}</span>
                  {locale === language ? null : (
                    <LinkButton onClick={() => onLanguage(locale)}>{t('action.add')}</LinkButton>
                  )}
                </>
              ) : (
                <span className="text-sm text-muted tabular-nums">
                  {t('form.coverage', { filled: formatNumber(reader, filled), all: formatNumber(reader, all) })}
                </span>
              )}
              {member && form.family.size > 1 ? (
                <IconButton
                  label={t('form.deleteLanguage', { language: localeNames[locale] })}
                  icon={<Trash2 size={15} aria-hidden />}
                  onClick={() => setLeaving(locale)}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      {!hasText(texts[language]) && others.length > 0 ? (
        <div className="mt-3">
          <p className="mb-2 text-sm text-muted">{t('form.empty')}</p>
          <CopyFrom form={form} language={language} sources={others} />
        </div>
      ) : null}
      <DeleteLanguage
        resource={resource}
        form={form}
        record={record}
        locale={leaving}
        onClose={() => setLeaving(null)}
        onGone={(gone) =>
          gone === language &&
          onLanguage(locales.find((locale) => locale !== gone && form.family.has(locale)) ?? language)
        }
      />
    </Sheet>
  )
}

/** Empty, part or whole, by shape as well as by colour. */
function Progress({ share }: { share: number }) {
  const look =
    share >= 1
      ? 'border-success bg-success'
      : share > 0
        ? 'border-warning bg-[linear-gradient(90deg,var(--warning)_50%,transparent_50%)]'
        : 'border-line-strong'
  return <i aria-hidden className={cx('size-3 shrink-0 rounded-full border-2', look)} />
}

/** Starts a missing language with the texts of another one. */
function CopyFrom({ form, language, sources }: { form: ResourceForm; language: Locale; sources: readonly Locale[] }) {
  const t = useT()
  const copy = (source: Locale) => {
    for (const [name, value] of Object.entries(form.form.getValues().texts[source] ?? {})) {
      form.form.setValue(`texts.${language}.${name}`, value, { shouldDirty: true })
    }
  }
  const [only] = sources
  if (sources.length === 1 && only)
    return <Button onClick={() => copy(only)}>{t('action.copyFromLanguage', { language: localeNames[only] })}</Button>
  return (
    <Menu align="start" trigger={<Button>{t('action.copyFromLanguage', { language: '…' })}</Button>}>
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

interface DeleteLanguageProps {
  resource: Resource
  form: ResourceForm
  record: Entry | null
  locale: Locale | null
  onClose: () => void
  onGone: (locale: Locale) => void
}

/** Deletes one language; the dialog says that the others stay. */
function DeleteLanguage({ resource, form, record, locale, onClose, onGone }: DeleteLanguageProps) {
  const t = useT()
  const cache = useQueryClient()
  const titleOf = useTitleOf(resource)
  const queries = resourceQueries(resource)
  const remove = useMutation({
    mutationFn: async (gone: Locale) => {
      const member = form.family.get(gone)
      if (member) await queries.remove(member.id, 'one')
      return gone
    },
    onSuccess: async (gone) => {
      onGone(gone)
      await cache.invalidateQueries({ queryKey: ['resource'] })
    },
    onSettled: onClose,
  })
  return (
    <DeleteDialog
      open={locale !== null}
      onOpenChange={(open) => !open && onClose()}
      busy={remove.isPending}
      onConfirm={() => locale && remove.mutate(locale)}
      what={
        locale && record ? t('dialog.delete.oneLanguage', { language: localeNames[locale], name: titleOf(record) }) : ''
      }
    />
  )
}
