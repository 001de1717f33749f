/** One text to translate: the source on one side, the field of the translation on the other. */
import { type Entry, type Field, type Locale, localeNames, componentsOf, type Resource } from '@dala/model'
import Copy from 'lucide-react/icons/copy'
import { labelOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { plainTextOf } from '../../lib/plain-text.ts'
import { FormField } from '../../resource/form/form-field.tsx'
import { hasText, type Values } from '../../resource/form/values.ts'
import type { ResourceForm } from '../../resource/form/use-resource-form.ts'
import { LinkButton } from '../../ui/button.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { type GlossaryTerm, findTerms } from '../../resource/memory/glossary.ts'
import { MarkedTerms } from '../../resource/memory/marked-terms.tsx'
import { SuggestionsContext } from '../../resource/memory/suggestions-context.ts'

interface DeskFieldProps {
  resource: Resource
  form: ResourceForm
  record: Entry
  name: string
  field: Field
  source: Locale
  target: Locale
  /** Text to translate, in the source language. */
  text: unknown
  terms: readonly GlossaryTerm[]
  /** Values of the translation's form in the target language. */
  values: Readonly<Values>
}

/** The editor of translations has no custom form parts: texts are edited by their kind. */
const noSlots = {}

export function DeskField({
  resource,
  form,
  record,
  name,
  field,
  source,
  target,
  text,
  terms,
  values,
}: DeskFieldProps) {
  const t = useT()
  const { input } = componentsOf(field)
  const shownText = typeof text === 'string' ? text : ''
  const isRich = input === 'rich'
  const isEmpty = !hasText({ [name]: shownText })
  // A slug is created anew in each language, unless the user has typed one.
  const canCopy = !isEmpty && input !== 'slug' && !form.isReadOnly(name, field) && !hasText({ [name]: values[name] })
  const foundTerms = findTerms(isRich ? plainTextOf(shownText) : shownText, terms)
  const drawText = (part: string) => <MarkedTerms text={part} terms={foundTerms.map((term) => term.source)} />
  const label = t('desk.sourceOf', { field: labelOf(resource, name), language: localeNames[source] })
  return (
    <div className="grid items-start gap-x-6 gap-y-2 border-b border-line pb-6 last:border-0 last:pb-0 lg:grid-cols-2">
      <section aria-label={label} className="min-w-0">
        <p className="flex min-h-6 flex-wrap items-center justify-between gap-x-3 pb-1 text-sm text-muted">
          <span aria-hidden>{localeNames[source]}</span>
          {canCopy ? (
            <LinkButton
              icon={<Copy size={15} aria-hidden />}
              aria-label={t('desk.copyOf', { field: labelOf(resource, name) })}
              onClick={() =>
                form.form.setValue(`texts.${target}.${name}`, text, { shouldDirty: true, shouldTouch: true })
              }
            >
              {t('desk.copy')}
            </LinkButton>
          ) : null}
        </p>
        <div className="max-h-96 overflow-y-auto rounded-2 bg-sunken px-3 py-2">
          {isEmpty ? (
            <span className="text-muted">{t('desk.sourceEmpty')}</span>
          ) : isRich ? (
            <RichText html={shownText} lang={source} drawText={drawText} />
          ) : (
            <p lang={source} className="whitespace-pre-wrap wrap-anywhere">
              {drawText(shownText)}
            </p>
          )}
        </div>
        <TranslationHints terms={foundTerms} source={source} target={target} />
      </section>
      <div className="min-w-0">
        <SuggestionsContext value={source}>
          <FormField
            resource={resource}
            slots={noSlots}
            form={form}
            record={record}
            language={target}
            name={name}
            field={field}
            values={values}
          />
        </SuggestionsContext>
      </div>
    </div>
  )
}

interface HintsProps {
  terms: readonly GlossaryTerm[]
  source: Locale
  target: Locale
}

/** Terms of the product that occur in the source text. */
function TranslationHints({ terms, source, target }: HintsProps) {
  const t = useT()
  if (terms.length === 0) return null
  return (
    <dl aria-label={t('desk.glossary')} className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {terms.map(({ source: term, target: translation }) => (
        <div key={term} className="flex gap-1.5">
          <dt lang={source} className="text-muted">
            {term}
          </dt>
          <dd lang={target} className="font-medium">
            {translation}
          </dd>
        </div>
      ))}
    </dl>
  )
}
