/** The sections of a form with their fields, drawn from the declaration. */
import { type Field as DeclaredField, fieldHelp, type Resource, sectionLabel } from '@dala/model'
import { Controller, type FieldPath } from 'react-hook-form'
import { labelOf } from '../fields/field-display.tsx'
import { FieldInput, isGroup, isWide } from '../fields/field-input.tsx'
import { cx } from '../lib/class-names.ts'
import { hasMessage, t, tFirst } from '../lib/i18n.ts'
import { Field } from '../ui/field.tsx'
import { LanguageChip } from '../ui/language-coverage.tsx'
import { type FormValues, nameOfField, writableFields } from './form-values.ts'
import type { FormPartProps, FormParts } from './screen-parts.ts'

interface SectionsProps extends FormPartProps {
  resource: Resource
  parts: FormParts
}

/** The declared sections; a resource without any shows all its fields in one. */
function sectionsOf(resource: Resource, { without = [] }: FormParts) {
  const declared = resource.form?.sections ?? [{ name: 'main', fields: writableFields(resource).map(([name]) => name) }]
  return declared
    .map(({ name, fields }) => ({ name, fields: fields.filter((field) => !without.includes(field)) }))
    .filter(({ fields }) => fields.length > 0)
}

export function FormSections({ resource, parts, ...rest }: SectionsProps) {
  return sectionsOf(resource, parts).map(({ name, fields }, index) => {
    const localized = fields.some((field) => resource.fields[field]?.localized)
    return (
      <fieldset
        key={name}
        className={cx(
          'grid gap-x-6 gap-y-4 md:grid-cols-[150px_minmax(0,1fr)]',
          index > 0 && 'mt-[26px] border-t border-line pt-[26px]',
        )}
      >
        <legend className="contents">
          <span className="text-lg leading-tight font-semibold">
            {tFirst(sectionLabel(resource, name))}
            {localized ? (
              <>
                {' '}
                <LanguageChip locale={rest.language} />
              </>
            ) : null}
          </span>
        </legend>
        <div className="grid content-start gap-x-4 gap-y-[18px] md:grid-cols-2">
          {fields.map((field) => {
            const declared = resource.fields[field]
            return declared ? (
              <FormField key={field} resource={resource} parts={parts} {...rest} name={field} field={declared} />
            ) : null
          })}
        </div>
      </fieldset>
    )
  })
}

interface FormFieldProps extends SectionsProps {
  name: string
  field: DeclaredField
  /** Without its label in sight: the sheet around it has the name already. */
  bare?: boolean
}

/** One field: label, input, help and error. */
export function FormField({ resource, parts, form, record, language, name, field, bare = false }: FormFieldProps) {
  const Input = parts.inputs?.[name] ?? FieldInput
  const locale = field.localized ? language : undefined
  const path = nameOfField(resource, name, locale)
  const help = fieldHelp(resource, name).find(hasMessage)
  return (
    <Controller
      // A field of another language is another field: its input starts afresh.
      key={path}
      control={form.form.control}
      name={path as FieldPath<FormValues>}
      render={({ field: { value, onChange, onBlur }, fieldState: { error } }) => (
        <div data-field={path} className={cx('min-w-0', (bare || isWide(resource, name, field)) && 'md:col-span-2')}>
          <Field
            label={bare ? <span className="sr-only">{labelOf(resource, name)}</span> : labelOf(resource, name)}
            required={field.required && !(record && field.kind === 'password')}
            help={help && t(help)}
            error={error?.message}
            group={isGroup(field)}
          >
            <Input
              form={form}
              record={record}
              language={language}
              resource={resource}
              name={name}
              field={field}
              lang={locale}
              value={value}
              onChange={(next) => {
                onChange(next)
                if (error) form.check(path, name, next, true)
              }}
              onBlur={() => {
                onBlur()
                // An untouched field is not scolded for being empty before it was filled in.
                if (value !== '' && value !== null) form.check(path, name, value, error !== undefined)
              }}
            />
          </Field>
        </div>
      )}
    />
  )
}
