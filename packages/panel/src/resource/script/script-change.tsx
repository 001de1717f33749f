/** A text before and after its conversion to another script, with the changed words marked. */
import { type Field, type Script, type ScriptLocale, writtenLocale } from '@dala/model'
import { useId } from 'react'
import { useT } from '../../lib/i18n.ts'
import { plainTextOf } from '../../lib/plain-text.ts'
import { textChanges } from '../../lib/text-changes.ts'
import { excerptsOf } from './excerpt.ts'

interface ScriptChangeProps {
  field: Field
  label: string
  before: string
  after: string
  locale: ScriptLocale
  /** Script of the converted text. */
  script: Script
}

const otherScript = { latin: 'cyrillic', cyrillic: 'latin' } as const

export function ScriptChange({ field, label, before, after, locale, script }: ScriptChangeProps) {
  const t = useT()
  const id = useId()
  const textOf = (value: string) => (field.kind === 'rich' ? plainTextOf(value).replace(/\s+/g, ' ').trim() : value)
  const excerpts = excerptsOf(textOf(before), textOf(after))
  const shownPieces = textChanges(excerpts.before, excerpts.after).filter(({ kind }) => kind !== 'removed')
  const textClass = 'leading-snug wrap-anywhere whitespace-pre-line'
  return (
    <section aria-labelledby={id} className="grid gap-1 px-3 py-2.5">
      <h3 id={id} className="text-sm font-medium">
        {label}
      </h3>
      <p lang={writtenLocale(locale, otherScript[script])} className={`${textClass} text-sm text-muted`}>
        <span className="sr-only">{t('script.before')}: </span>
        {excerpts.before}
      </p>
      <p lang={writtenLocale(locale, script)} className={textClass}>
        <span className="sr-only">{t('script.after')}: </span>
        {shownPieces.map(({ text, kind }, index) =>
          kind === 'added' ? (
            <mark key={index} className="rounded-1 bg-brand-soft text-ink">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
    </section>
  )
}
