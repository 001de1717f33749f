/** One field of a form: label, input, help and error; read-only where the user may not write it. */
import {
  type Entry,
  type Field as DeclaredField,
  fieldHelp,
  isLink,
  isToOne,
  type Locale,
  memoryFields,
  componentsOf,
  type Resource,
} from '@dala/model'
import History from 'lucide-react/icons/history'
import { type ComponentType, Suspense, use, useState } from 'react'
import { Controller, type FieldPath } from 'react-hook-form'
import { FieldDisplay, labelOf } from '../../fields/field-display.tsx'
import { FieldInput, type FieldInputProps, isGroup, isWide } from '../../fields/field-input.tsx'
import { type RelatedScope, RelatedScopeContext } from '../../fields/relation/related-scope.ts'
import { galleryPictureOf } from '../../fields/picture/picture.ts'
import { DrawableFiles } from '../../fields/upload/private-file.tsx'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { UnderWayContext } from '../../fields/upload/pending-uploads.ts'
import { cx } from '../../lib/class-names.ts'
import { hasMessage, useT } from '../../lib/i18n.ts'
import { Field, useFieldLabel } from '../../ui/inputs/field.tsx'
import { GalleryButton } from '../../ui/overlays/gallery.tsx'
import { FieldScripts } from './script/script-menu.tsx'
import { StateInput } from './state-input.tsx'
import { type FormValues, isEntry, nameOfField, type Values } from './values.ts'
import { pickerFilter } from './dependent-links.ts'
import type { FormSlotProps, FormSlots } from '../screen-parts.ts'
import { HistoryContext } from '../history/with-history.tsx'
import { SuggestionsContext } from '../memory/suggestions-context.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const FieldSuggestions = lazyPart(async () => (await import('../memory/field-suggestions.tsx')).FieldSuggestions)

export interface FormFieldProps extends FormSlotProps {
  resource: Resource
  slots: FormSlots
  name: string
  field: DeclaredField
  /** Values of the form in the visible language. */
  values: Readonly<Values>
  /** Whether the label is hidden visually: the surrounding sheet shows the name already. */
  isBare?: boolean
}

/** Class that aligns the inputs of two neighbouring fields, also when one label has two lines. */
const rowSpanClass = 'md:row-span-2 md:grid md:grid-rows-subgrid md:gap-y-1.5'

/** Text inputs become read-only, so that their text can be copied; other fields show their value. */
const textInputs = new Set(['text', 'longText', 'number', 'email', 'link', 'video', 'slug', 'password', 'translations'])

export function FormField({
  resource,
  slots,
  form,
  record,
  language,
  name,
  field,
  values,
  isBare = false,
}: FormFieldProps) {
  const t = useT()
  const isState = field.kind === 'choice' && field.transitions !== undefined
  const Input: ComponentType<FieldInputProps & FormSlotProps> =
    slots.inputs?.[name] ?? (isState ? StateInput : FieldInput)
  const locale = field.localized ? language : undefined
  const path = nameOfField(resource, name, locale)
  const isReadOnly = form.isReadOnly(name, field)
  const isShown = isReadOnly && !textInputs.has(componentsOf(field).input)
  const isKept = record !== null && field.kind === 'password'
  // Each locked field explains why, in a form where only some fields may be changed.
  const isRefused = isReadOnly && form.rights.mayWrite && record !== null && !field.readOnly
  const declaredHelp = fieldHelp(resource, name)
    .filter(hasMessage)
    .map((id) => t(id))[0]
  const help = isRefused ? t('form.fieldReadOnly') : isKept ? t('form.passwordKept') : declaredHelp
  const isRequired = (field.required === true && !isKept) || (name === 'reason' && form.isReasonNeeded(values))
  const openHistory = use(HistoryContext)
  const translatedFrom = use(SuggestionsContext)
  // A form shows suggestions for a field that the user has entered, the translations workspace for all fields.
  const [wasEntered, setEntered] = useState(false)
  const hasSuggestions =
    !isReadOnly && (wasEntered || translatedFrom !== undefined) && memoryFields(resource).includes(name)
  const scope = { language, shown: form.shown, ...pickerFilter(resource, name, values) }
  return (
    <Controller
      // A field of the form in another language is a new field: its input starts afresh.
      key={path}
      control={form.form.control}
      name={path as FieldPath<FormValues>}
      render={({ field: { value, onChange, onBlur }, fieldState: { error } }) => (
        <div
          data-field={path}
          onFocus={() => setEntered(true)}
          className={cx(
            'group/field min-w-0',
            !isBare && rowSpanClass,
            (isBare || isWide(resource, name, field)) && 'md:col-span-2',
          )}
        >
          <Field
            label={isBare ? <span className="sr-only">{labelOf(resource, name)}</span> : labelOf(resource, name)}
            required={isRequired && !isReadOnly}
            readOnly={isReadOnly}
            help={help}
            aside={
              <span className="flex items-baseline gap-1">
                <FieldScripts form={form} language={language} name={name} field={field} />
                {openHistory && record && field.kind !== 'password' ? (
                  <FieldHistory name={labelOf(resource, name)} onOpen={() => openHistory(name)} />
                ) : null}
              </span>
            }
            error={error?.message}
            group={isGroup(field) || isShown}
            className={isBare ? undefined : rowSpanClass}
          >
            {isShown ? (
              <ShownValue
                resource={resource}
                name={name}
                field={field}
                value={value}
                lang={locale}
                shown={form.shown}
              />
            ) : (
              <UnderWayContext value={form.beginUpload}>
                <RelatedScopeContext value={scope}>
                  <Input
                    form={form}
                    record={record}
                    language={language}
                    resource={resource}
                    name={name}
                    field={field}
                    lang={locale}
                    value={value}
                    values={values}
                    onChange={(chosenLink) => {
                      form.setLinkWithDependents(name, chosenLink)
                      onChange(chosenLink)
                      if (error) form.check(path, name, chosenLink, true)
                    }}
                    onBlur={() => {
                      onBlur()
                      // An untouched empty field of the form shows no error before the user has filled it in.
                      if (value !== '' && value !== null) form.check(path, name, value, error !== undefined)
                    }}
                  />
                </RelatedScopeContext>
              </UnderWayContext>
            )}
            {hasSuggestions ? (
              <Suspense fallback={null}>
                <FieldSuggestions {...{ resource, form, record, name, from: translatedFrom }} target={language} />
              </Suspense>
            ) : null}
          </Field>
        </div>
      )}
    />
  )
}

/**
 * Button for the history of a field, for pointers only: the keyboard uses the record's menu, so fields need
 * no second tab stop.
 */
function FieldHistory({ name, onOpen }: { name: string; onOpen: () => void }) {
  const t = useT()
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t('history.ofField', { field: name })}
      title={t('history.ofField', { field: name })}
      onClick={onOpen}
      className="-my-1 grid size-6 shrink-0 place-items-center rounded-1 text-muted opacity-0 transition-opacity duration-(--dur-1) group-hover/field:opacity-100 hover:text-ink pointer-coarse:hidden"
    >
      <History size={14} aria-hidden />
    </button>
  )
}

interface ShownValueProps {
  resource: Resource
  name: string
  field: DeclaredField
  value: unknown
  lang: Locale | undefined
  shown: RelatedScope['shown']
}

/** Value of a field that is read-only in the form. */
function ShownValue({ resource, name, field, value, lang, shown }: ShownValueProps) {
  const label = useFieldLabel()
  const link = isLink(field) ? resourceNamed(field.target) : undefined
  const entries = link && (Array.isArray(value) ? value : [value]).filter(isEntry).map((entry) => shown(link, entry))
  const pictures = field.kind === 'picture' || field.kind === 'pictures' ? entries : undefined
  return (
    <fieldset aria-labelledby={label} lang={lang} className="flex min-h-(--control) flex-wrap gap-2 py-1.5">
      {pictures && pictures.length > 0 ? (
        <ShownPictures pictures={pictures} name={labelOf(resource, name)} />
      ) : (
        <FieldDisplay
          resource={resource}
          name={name}
          value={entries ? (isToOne(field) || entries.length === 0 ? entries[0] : entries) : value}
        />
      )}
    </fieldset>
  )
}

function ShownPictures({ pictures, name }: { pictures: readonly Entry[]; name: string }) {
  const altTextOf = ({ alternativeText }: Entry) => (typeof alternativeText === 'string' ? alternativeText : '')
  return (
    <DrawableFiles files={pictures}>
      {(files) => {
        const galleryPictures = files
          .filter(isEntry)
          .flatMap((picture) => galleryPictureOf(picture, altTextOf(picture) || name) ?? [])
        return galleryPictures.map(({ src, alt }, index) => (
          <GalleryButton key={pictures[index]?.id ?? src} pictures={galleryPictures} index={index}>
            <img src={src} alt={alt} className="max-h-40 max-w-full rounded-2" />
          </GalleryButton>
        ))
      }}
    </DrawableFiles>
  )
}
