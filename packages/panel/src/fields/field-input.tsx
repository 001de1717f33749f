/** Edits a field's value with the input of its kind. Label and error belong to the surrounding field. */
import { choiceLabel, type Field, isLink, type Locale, componentsOf, type Resource } from '@dala/model'
import { Suspense } from 'react'
import { firstTranslation } from '../lib/i18n.ts'
import { DateInput } from '../ui/inputs/date-input.tsx'
import { DateTimeInput } from '../ui/inputs/date-time-input.tsx'
import { useFieldControl } from '../ui/inputs/field.tsx'
import { Input, Textarea } from '../ui/inputs/input.tsx'
import { PasswordInput } from '../ui/inputs/password-input.tsx'
import { Select } from '../ui/inputs/select.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Switch } from '../ui/inputs/switch.tsx'
import { ColourInput } from './colour-input.tsx'
import { LengthNote } from './text/length-note.tsx'
import { LinkInput } from './text/link-input.tsx'
import { NumberFieldInput } from './number-field-input.tsx'
import { PictureInput, PicturesInput } from './picture/picture-input.tsx'
import { RelatedInput, RelatedListInput } from './relation/related-input.tsx'
import { SlugInput } from './text/slug-input.tsx'
import { TranslationsInput } from './text/translations-input.tsx'
import { WordListInput } from './text/words-input.tsx'
import { lazyPart } from '../ui/lazy-part.ts'

const RichInput = lazyPart(async () => (await import('./text/rich-input.tsx')).RichInput)

export interface FieldInputProps {
  resource: Resource
  name: string
  field: Field
  /** Language of the field's value, for spelling and hyphenation; none for codes and numbers. */
  lang: Locale | undefined
  value: unknown
  /** Current values of the form in the visible language, for inputs that depend on another field. */
  values?: Readonly<Record<string, unknown>> | undefined
  onChange: (value: unknown) => void
  onBlur: () => void
}

/**
 * Kinds of inputs that need the full width of the form: long ones, and the name of a record in a language.
 */
export function isWide(resource: Resource, name: string, field: Field): boolean {
  if (name === resource.title && field.localized) return true
  return ['longText', 'rich', 'translations', 'relatedList', 'pictures', 'textList', 'json'].includes(
    componentsOf(field).input,
  )
}

/** Kinds of inputs made of several controls; the field's label names them as a group. */
export function isGroup(field: Field): boolean {
  return ['translations', 'picture', 'pictures', 'rich', 'json'].includes(componentsOf(field).input)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function FieldInput(props: FieldInputProps) {
  const { field, value, values, onChange, onBlur, lang } = props
  const { id, ...control } = useFieldControl()
  const text = { ...control, ...(id !== undefined && { id }), ...(lang && { lang }), onBlur }
  const { input } = componentsOf(field)
  switch (input) {
    case 'longText':
      return (
        <div>
          <Textarea {...text} rows={4} value={textOf(value)} onChange={(event) => onChange(event.target.value)} />
          <LengthNote field={field} text={textOf(value)} />
        </div>
      )
    case 'rich':
      return (
        <Suspense fallback={<Skeleton className="h-44 w-full" />}>
          <RichInput field={field} value={textOf(value)} onChange={onChange} onBlur={onBlur} lang={lang} />
        </Suspense>
      )
    case 'number':
      return <NumberFieldInput field={field} value={value} values={values} onChange={onChange} onBlur={onBlur} />
    case 'bool':
      return <Switch checked={value === true} onCheckedChange={onChange} />
    case 'date':
      return <DateInput value={textOf(value) || null} onValueChange={onChange} onBlur={onBlur} />
    case 'dateTime':
      return <DateTimeInput value={textOf(value) || null} onValueChange={onChange} onBlur={onBlur} />
    case 'choice':
      return <ChoiceInput {...props} />
    case 'translations':
      return <TranslationsInput value={value} onChange={onChange} onBlur={onBlur} />
    case 'colour':
      return <ColourInput value={textOf(value)} onChange={onChange} onBlur={onBlur} />
    case 'related':
      return <RelatedInput field={field} value={value} onChange={onChange} />
    case 'relatedList':
      return <RelatedListInput field={field} value={value} onChange={onChange} />
    case 'picture':
      return <PictureInput options={isLink(field) ? field : {}} value={value} onChange={onChange} />
    case 'pictures':
      return <PicturesInput options={isLink(field) ? field : {}} value={value} onChange={onChange} />
    case 'textList':
      return <WordListInput value={value} onChange={onChange} onBlur={onBlur} />
    case 'password':
      return (
        <PasswordInput
          {...text}
          autoComplete="new-password"
          value={textOf(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'link':
    case 'video':
      return <LinkInput {...text} video={input === 'video'} value={textOf(value)} onValueChange={onChange} />
    case 'slug':
      return <SlugInput {...text} field={field} value={textOf(value)} values={values} onValueChange={onChange} />
    case 'email':
      return (
        <Input
          {...text}
          dir="ltr"
          inputMode="email"
          value={textOf(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    default:
      return <Input {...text} value={textOf(value)} onChange={(event) => onChange(event.target.value)} />
  }
}

function ChoiceInput({ resource, name, field, value, onChange }: FieldInputProps) {
  const values = 'values' in field ? field.values : []
  return (
    <Select
      value={textOf(value) || null}
      onValueChange={onChange}
      choices={values.map((code) => ({ value: code, label: firstTranslation(choiceLabel(resource, name, code)) }))}
    />
  )
}
