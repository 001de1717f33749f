/** Sections of a form with their fields, from the declaration. */
import { type Locale, type Resource, sectionLabel } from '@dala/model'
import { memo, type ReactNode, useDeferredValue, useId, useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { labelOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { formatList } from '../../lib/format.ts'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { LanguageChip } from '../../ui/language-coverage.tsx'
import { EmptyLanguage } from './form-copy.tsx'
import { FormField } from './form-field.tsx'
import { FormMap } from './form-map.tsx'
import { isIdleReason } from './rights.ts'
import { type Values, writableFields } from './values.ts'
import type { FormSlotProps, FormSlots } from '../screen-parts.ts'
import type { ResourceForm } from './use-resource-form.ts'

interface SectionsProps extends FormSlotProps {
  resource: Resource
  slots: FormSlots
  /** Fields of the form whose values the screen fixes. */
  fixedFields: readonly string[]
}

/**
 * The visible values of the form, deferred: a long form must not render with every letter. The object stays
 * the same until then, so that components that use it need not render.
 */
export function useFormValues(form: ResourceForm, language: Locale): Values {
  const { shared, texts } = useDeferredValue(useWatch({ control: form.form.control }))
  return useMemo(() => ({ ...shared, ...texts?.[language] }), [shared, texts, language])
}

/** Whether a form shows a field: the screen has not fixed it, and the user may read it. */
export function isDrawn(
  { resource, form, record, fixedFields: fixedNames, slots }: SectionsProps,
  name: string,
  values: Readonly<Values>,
): boolean {
  const field = resource.fields[name]
  if (!field || fixedNames.includes(name) || slots.hiddenFields?.includes(name) || !form.rights.mayRead(name))
    return false
  if (slots.isShown?.(name, values) === false) return false
  const isState = field.kind === 'choice' && field.transitions !== undefined
  // A new record starts in its first state and needs no reason for that state.
  if (isState && record === null) return false
  return !isIdleReason(resource, name, form.isReasonNeeded(values), values[name])
}

/** The declared sections of a form; a resource without any has all its fields in one. */
function sectionsOf(resource: Resource, isShown: (name: string) => boolean) {
  const declaredSections = resource.form?.sections ?? [
    { name: 'main', fields: writableFields(resource).map(([name]) => name) },
  ]
  return declaredSections
    .map(({ name, fields }) => ({ name, fields: fields.filter(isShown) }))
    .filter(({ fields }) => fields.length > 0)
}

export function FormSections(props: SectionsProps) {
  return <DrawnSections {...props} values={useFormValues(props.form, props.language)} />
}

const DrawnSections = memo(function DrawnSections({
  fixedFields: fixedNames,
  values,
  ...props
}: SectionsProps & { values: Values }) {
  const { resource, form, language } = props
  const sections = sectionsOf(resource, (name) => isDrawn({ ...props, fixedFields: fixedNames }, name, values))
  const firstOfLanguage = sections.findIndex(({ fields }) => fields.some((name) => isLocalized(resource, name)))
  return sections.map(({ name, fields }, index) => (
    <Section key={name} resource={resource} name={name} fields={fields} language={language} isFirst={index === 0}>
      {index === firstOfLanguage ? <EmptyLanguage form={form} language={language} /> : null}
      {fields.map((field) => {
        const declaredField = resource.fields[field]
        return declaredField ? (
          <FormField key={field} {...props} name={field} field={declaredField} values={values} />
        ) : null
      })}
      {fields.includes('lat') && fields.includes('lng') && form.rights.mayWriteField('lat') && !form.isLocked ? (
        <FormMap form={form} values={values} />
      ) : null}
    </Section>
  ))
})

const isLocalized = (resource: Resource, name: string) => resource.fields[name]?.localized === true

interface SectionProps {
  resource: Resource
  name: string
  fields: readonly string[]
  language: Locale
  isFirst: boolean
  children: ReactNode
}

/**
 * Titled group of the form's fields; the title names the language of its fields, and marks fields that all
 * languages share.
 */
function Section({ resource, name, fields, language, isFirst, children }: SectionProps) {
  const t = useT()
  const id = useId()
  const sharedNames = resource.localized ? fields.filter((field) => !isLocalized(resource, field)) : []
  const ownFields = fields.filter((field) => !sharedNames.includes(field))
  const makeFieldNames = (sectionFields: readonly string[]) => ({
    fields: formatList(
      t,
      sectionFields.map((field) => labelOf(resource, field)),
    ),
  })
  return (
    <fieldset
      aria-labelledby={id}
      className={cx(
        // The two columns of a section need 500 px: in a narrower sheet the title is above the fields.
        'grid gap-x-6 gap-y-4 @min-[674px]:grid-cols-[150px_minmax(0,1fr)]',
        !isFirst && 'mt-[26px] border-t border-line pt-[26px]',
      )}
    >
      <div>
        <h2 id={id} className="text-lg leading-tight font-semibold">
          {firstTranslation(sectionLabel(resource, name))}
          {fields.some((field) => isLocalized(resource, field)) ? (
            <>
              {' '}
              <LanguageChip locale={language} />
            </>
          ) : null}
        </h2>
        {sharedNames.length > 0 ? (
          <p className="mt-1 text-sm leading-snug text-muted">
            {ownFields.length === 0
              ? t('form.shared')
              : sharedNames.length > ownFields.length
                ? t('form.sharedBut', makeFieldNames(ownFields))
                : t('form.sharedFields', makeFieldNames(sharedNames))}
          </p>
        ) : null}
      </div>
      <div className="grid content-start gap-x-4 gap-y-[18px] md:grid-cols-2">{children}</div>
    </fieldset>
  )
}
