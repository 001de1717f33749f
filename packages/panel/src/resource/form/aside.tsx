/** The column beside the form: its pictures, and the progress of each language. */
import { type Entry, type Locale, localeNames, locales, type Resource } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Trash2 from 'lucide-react/icons/trash-2'
import { memo, useDeferredValue, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { ApiError } from '../../api/api-error.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/overlays/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { refusalOf } from '../record/delete-dialog.tsx'
import { FormField } from './form-field.tsx'
import { isDrawn, useFormValues } from './sections.tsx'
import { coverageOf, type FormValues, type Values } from './values.ts'
import type { FormSlotProps, FormSlots } from '../screen-parts.ts'
import { useMay } from '../use-may.ts'
import type { ResourceForm } from './use-resource-form.ts'

interface AsideProps extends FormSlotProps {
  resource: Resource
  onLanguage: (locale: Locale) => void
}

export function FormAside({
  resource,
  slots,
  fixedFields,
  ...sharedProps
}: AsideProps & { slots: FormSlots; fixedFields: readonly string[] }) {
  const { onLanguage: _, ...ownProps } = sharedProps
  const texts = useDeferredValue(useWatch({ control: ownProps.form.form.control, name: 'texts' }))
  return (
    <aside className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {slots.Aside ? <slots.Aside {...ownProps} /> : null}
      <AsideFields
        resource={resource}
        slots={slots}
        fixedFields={fixedFields}
        {...ownProps}
        values={useFormValues(ownProps.form, ownProps.language)}
      />
      {resource.localized ? <Translations resource={resource} {...sharedProps} texts={texts} /> : null}
    </aside>
  )
}

interface AsideFieldsProps extends FormSlotProps {
  resource: Resource
  slots: FormSlots
  fixedFields: readonly string[]
  values: Values
}

const AsideFields = memo(function AsideFields({ fixedFields: fixedNames, ...props }: AsideFieldsProps) {
  const { resource, values } = props
  return (resource.form?.aside ?? []).map((name) => {
    const field = resource.fields[name]
    if (!field || !isDrawn({ ...props, fixedFields: fixedNames }, name, values)) return null
    return (
      <Sheet key={name} hasPadding>
        <h2 className="mb-3.5 text-lg font-semibold">{labelOf(resource, name)}</h2>
        <FormField isBare {...props} name={name} field={field} />
      </Sheet>
    )
  })
})

/** The panel of a record's languages: dots for progress, counts, and missing fields. */
const Translations = memo(function Translations({
  resource,
  form,
  record,
  language,
  onLanguage,
  texts,
}: AsideProps & { texts: FormValues['texts'] }) {
  const t = useT()
  const reader = useLocale()
  const [deletedLanguage, setDeletedLanguage] = useState<Locale | null>(null)
  const may = useMay(resource)
  return (
    <Sheet hasPadding>
      <h2 className="mb-1.5 text-lg font-semibold">{t('form.translations')}</h2>
      <ul>
        {locales.map((locale) => {
          const { filled, all } = coverageOf(resource, texts[locale])
          const member = form.family.get(locale)
          return (
            <li
              key={locale}
              className="flex min-h-11 flex-wrap items-center gap-x-2.5 border-b border-line last:border-0"
            >
              <Progress percent={all === 0 ? 0 : filled / all} />
              <button
                type="button"
                lang={locale}
                aria-current={locale === language ? 'true' : undefined}
                onClick={() => onLanguage(locale)}
                className={cx(
                  'min-h-9 min-w-24 flex-1 text-start hover:text-brand-text pointer-coarse:min-h-11',
                  locale === language && 'font-semibold',
                )}
              >
                {localeNames[locale]}
              </button>
              {member?.outdated ? <span className="text-xs text-warning-text">{t('form.outdated')}</span> : null}
              {filled === 0 && !member ? (
                <>
                  <span className="text-sm text-muted">{t('form.notStarted')}</span>
                  {locale === language || form.isLocked ? null : (
                    <LinkButton onClick={() => onLanguage(locale)}>{t('action.add')}</LinkButton>
                  )}
                </>
              ) : (
                <span className="text-sm text-muted tabular-nums">
                  {t('form.coverage', { filled: formatNumber(reader, filled), all: formatNumber(reader, all) })}
                </span>
              )}
              {member && form.family.size > 1 && record && may('remove', record) ? (
                <IconButton
                  label={t('form.deleteLanguage', { language: localeNames[locale] })}
                  icon={<Trash2 size={15} aria-hidden />}
                  onClick={() => setDeletedLanguage(locale)}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      <DeleteLanguage
        resource={resource}
        form={form}
        record={record}
        locale={deletedLanguage}
        onClose={() => setDeletedLanguage(null)}
        onGone={(deletedLanguage) =>
          deletedLanguage === language &&
          onLanguage(locales.find((locale) => locale !== deletedLanguage && form.family.has(locale)) ?? language)
        }
      />
    </Sheet>
  )
})

/** Mark of a language's progress: empty, partial or complete, by shape and by colour. */
function Progress({ percent }: { percent: number }) {
  const appearance =
    percent >= 1
      ? 'border-success bg-success'
      : percent > 0
        ? 'border-warning bg-[linear-gradient(90deg,var(--warning)_50%,transparent_50%)]'
        : 'border-line-strong'
  return <i aria-hidden className={cx('size-3 shrink-0 rounded-full border-2', appearance)} />
}

interface DeleteLanguageProps {
  resource: Resource
  form: ResourceForm
  record: Entry | null
  locale: Locale | null
  onClose: () => void
  onGone: (locale: Locale) => void
}

/** Button that deletes one language of a record; its dialog says that the other languages stay. */
function DeleteLanguage({ resource, form, record, locale, onClose, onGone }: DeleteLanguageProps) {
  const t = useT()
  const cache = useQueryClient()
  const titleOf = useTitleOf(resource)
  const queries = resourceQueries(resource)
  const remove = useMutation({
    mutationFn: async (language: Locale) => {
      const member = form.family.get(language)
      if (member) await queries.remove(member.id, 'one')
      return language
    },
    onSuccess: async (language) => {
      onClose()
      onGone(language)
      await cache.invalidateQueries({ queryKey: ['resource'] })
    },
  })
  const closeDialog = () => {
    remove.reset()
    onClose()
  }
  return (
    <DeleteDialog
      open={locale !== null}
      onOpenChange={(isOpen) => !isOpen && closeDialog()}
      isBusy={remove.isPending}
      failure={remove.error instanceof ApiError ? refusalOf(remove.error, t) : undefined}
      onConfirm={() => locale && remove.mutate(locale)}
      target={
        locale && record ? t('dialog.delete.oneLanguage', { language: localeNames[locale], name: titleOf(record) }) : ''
      }
    />
  )
}
