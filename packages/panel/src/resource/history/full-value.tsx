/** A field's complete value, for comparison with another one: whole texts, every picture, every language. */
import { type Field, isLink, isLocale, type Locale, localeNames, componentsOf, type Resource } from '@dala/model'
import { CoverPicture } from '../../fields/picture/cover.tsx'
import { FieldDisplay, isEntry } from '../../fields/field-display.tsx'
import { pictureOf } from '../../fields/picture/picture.ts'
import { resourceNamed } from '../../fields/relation/targets.ts'
import type { RelatedScope } from '../../fields/relation/related-scope.ts'
import { useT } from '../../lib/i18n.ts'
import { RichText } from '../../ui/rich-text.tsx'

interface FullValueProps {
  resource: Resource
  name: string
  value: unknown
  lang?: Locale | undefined
  /** Returns a linked record with its name in the visible language. */
  shown?: RelatedScope['shown'] | undefined
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

export function FullValue({ resource, name, value, lang, shown }: FullValueProps) {
  const t = useT()
  const field: Field | undefined = resource.fields[name]
  const isNone = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (!field || isNone) return <span className="text-muted">{t('conflict.nothing')}</span>
  const { display } = componentsOf(field)
  if (field.kind === 'translations' && typeof value === 'object') return <AllLanguages value={value} />
  if (typeof value === 'string' && (display === 'rich' || display === 'longText')) {
    if (display === 'rich') return <RichText html={value} lang={lang} className="wrap-anywhere" />
    return (
      <p lang={lang} className="whitespace-pre-wrap wrap-anywhere">
        {value}
      </p>
    )
  }
  if (field.kind === 'picture' || field.kind === 'pictures') return <Pictures value={value} />
  const target = isLink(field) ? resourceNamed(field.target) : undefined
  const localized =
    target && shown
      ? listOf(value).map((linkedItem) => (isEntry(linkedItem) ? shown(target, linkedItem) : linkedItem))
      : undefined
  return (
    <span lang={lang} className="wrap-anywhere">
      <FieldDisplay resource={resource} name={name} value={localized ?? value} />
    </span>
  )
}

function AllLanguages({ value }: { value: object }) {
  return (
    <dl className="grid gap-1">
      {Object.entries(value).map(([locale, text]) =>
        isLocale(locale) && typeof text === 'string' && text !== '' ? (
          <div key={locale}>
            <dt className="text-sm text-muted">{localeNames[locale]}</dt>
            <dd lang={locale} className="wrap-anywhere">
              {text}
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

function Pictures({ value }: { value: unknown }) {
  return (
    <span className="flex flex-wrap gap-2">
      {listOf(value).map((file, index) => {
        const name = isEntry(file) && typeof file['name'] === 'string' ? file['name'] : ''
        return pictureOf(file) ? (
          <CoverPicture key={index} file={file} width={80} alt={name} className="size-20 rounded-2" />
        ) : (
          <span key={index} className="wrap-anywhere">
            {name}
          </span>
        )
      })}
    </span>
  )
}
