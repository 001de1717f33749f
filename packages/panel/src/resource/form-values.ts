/** The values of a form: what all languages share, and the texts of each language; and how they are saved. */
import {
  type Entry,
  type Field,
  isLink,
  isLocale,
  isScalar,
  isToOne,
  type Locale,
  locales,
  type Resource,
  type Screen,
  validate,
  type ValidationMode,
} from '@dala/model'

type Values = Record<string, unknown>

export interface FormValues {
  shared: Values
  texts: Partial<Record<Locale, Values>>
}

/** Marks of the fields that were changed, in the shape of the values. */
export interface Touched {
  shared: ReadonlySet<string>
  texts: ReadonlyMap<Locale, ReadonlySet<string>>
}

/** An entry of the family on the server. */
interface Member {
  id: number
  version: number
  outdated: boolean
}
export type Family = ReadonlyMap<Locale, Member>

/** Fields that a person may fill in. */
export function writableFields(resource: Resource): [string, Field][] {
  return Object.entries<Field>(resource.fields).filter(([, field]) => !field.readOnly && field.kind !== 'count')
}

function emptyValue(field: Field): unknown {
  if (isLink(field)) return isToOne(field) ? null : []
  if (field.kind === 'translations') return {}
  const preset = 'default' in field ? field.default : undefined
  return (
    preset ??
    (field.kind === 'bool'
      ? false
      : field.kind === 'int' ||
          field.kind === 'decimal' ||
          field.kind === 'choice' ||
          field.kind === 'date' ||
          field.kind === 'dateTime' ||
          field.kind === 'json'
        ? null
        : '')
  )
}

/** A link as the form holds it: the whole target, so that its name can be shown. */
function formValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined)
    return isScalar(field) && field.required ? emptyValue(field) : emptyWhenUnset(field)
  return value
}

function emptyWhenUnset(field: Field): unknown {
  if (isLink(field)) return isToOne(field) ? null : []
  return field.kind === 'translations'
    ? {}
    : typeof emptyValue(field) === 'string' && field.kind !== 'choice'
      ? ''
      : null
}

/** The values of a record and of its other languages; for a new one defaults, and what the screen's rows have. */
export function toFormValues(resource: Resource, record: Entry | null, only: Screen['only'] = {}): FormValues {
  const entries = new Map<Locale, Entry>(familyEntries(resource, record))
  const values: FormValues = { shared: {}, texts: {} }
  for (const [name, field] of writableFields(resource)) {
    if (field.localized) continue
    values.shared[name] = record ? formValue(field, record[name]) : (only[name] ?? emptyValue(field))
  }
  if (!resource.localized) return values
  for (const locale of locales) {
    const entry = entries.get(locale)
    const texts: Values = {}
    for (const [name, field] of writableFields(resource)) {
      if (field.localized) texts[name] = entry ? formValue(field, entry[name]) : ''
    }
    values.texts[locale] = texts
  }
  return values
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

/** The record and its localizations, each with its language. */
function familyEntries(resource: Resource, record: Entry | null): [Locale, Entry][] {
  if (!record || !resource.localized) return []
  const others = Array.isArray(record.localizations) ? record.localizations.filter(isEntry) : []
  return [record, ...others].flatMap((entry): [Locale, Entry][] =>
    isLocale(entry.locale) ? [[entry.locale, entry]] : [],
  )
}

/** The languages that exist on the server, with their ids and versions. */
export function familyOf(resource: Resource, record: Entry | null): Family {
  return new Map(
    familyEntries(resource, record).map(([locale, entry]) => [
      locale,
      { id: entry.id, version: Number(entry.version), outdated: entry.outdated === true },
    ]),
  )
}

/** Values as the API takes them: links as ids, and an emptied text as none: two empty codes must not count as the same code. */
function wireValue(field: Field, value: unknown): unknown {
  if (!isLink(field)) return value === '' && isScalar(field) && !field.required ? null : value
  if (isToOne(field)) return isEntry(value) ? value.id : (value ?? null)
  return Array.isArray(value) ? value.map((item: unknown) => (isEntry(item) ? item.id : item)) : []
}

function wireValues(resource: Resource, values: Values, names?: ReadonlySet<string>): Values {
  const wired: Values = {}
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields[name]
    if (field && (!names || names.has(name))) wired[name] = wireValue(field, value)
  }
  return wired
}

/** Whether anything was typed in a language. */
export function hasText(texts: Values | undefined): boolean {
  return Object.values(texts ?? {}).some(
    (value) => typeof value === 'string' && value.trim() !== '' && value !== '<p></p>',
  )
}

/** One call of a save. */
export type SaveStep =
  | { kind: 'create'; locale: Locale | undefined; draft: Values }
  | { kind: 'translate'; locale: Locale; draft: Values }
  | { kind: 'update'; locale: Locale | undefined; id: number; draft: Values }

/**
 * The calls that save what was changed.
 *
 * In: the values, what was touched, the languages on the server, the language in sight, and for types without
 * languages the record. Out: calls in an order in which no version gets in the way of the next: texts of other
 * languages first, because they move only their own version, then shared fields with the language in sight.
 */
export function planSave(
  resource: Resource,
  values: FormValues,
  touched: Touched,
  family: Family,
  language: Locale,
  record: Entry | null,
): SaveStep[] {
  const shared = wireValues(resource, values.shared, touched.shared)
  const sharedChanged = Object.keys(shared).length > 0
  if (!resource.localized) {
    if (!record) return [{ kind: 'create', locale: undefined, draft: wireValues(resource, values.shared) }]
    return sharedChanged
      ? [{ kind: 'update', locale: undefined, id: record.id, draft: { ...shared, version: record.version } }]
      : []
  }

  const steps: SaveStep[] = []
  const textsOf = (locale: Locale, all: boolean) =>
    wireValues(resource, values.texts[locale] ?? {}, all ? undefined : (touched.texts.get(locale) ?? new Set()))
  const others = locales.filter((locale) => locale !== language && touched.texts.has(locale))
  for (const locale of others) {
    const member = family.get(locale)
    if (member)
      steps.push({
        kind: 'update',
        locale,
        id: member.id,
        draft: { ...textsOf(locale, false), version: member.version },
      })
    else if (hasText(values.texts[locale])) steps.push({ kind: 'translate', locale, draft: textsOf(locale, true) })
  }

  if (!record) {
    const first: SaveStep = {
      kind: 'create',
      locale: language,
      draft: { ...wireValues(resource, values.shared), ...textsOf(language, true), locale: language },
    }
    return [first, ...steps]
  }
  const member = family.get(language)
  const touchedHere = touched.texts.has(language)
  if (member && (sharedChanged || touchedHere)) {
    steps.push({
      kind: 'update',
      locale: language,
      id: member.id,
      draft: { ...shared, ...textsOf(language, false), version: member.version },
    })
  } else if (!member && touchedHere && hasText(values.texts[language])) {
    steps.push({ kind: 'translate', locale: language, draft: { ...shared, ...textsOf(language, true) } })
  } else if (sharedChanged) {
    // The language in sight has no entry to carry them: an untouched one does, else the last call that there is.
    const [locale, free] = [...family].find(([candidate]) => !touched.texts.has(candidate)) ?? []
    const last = steps.at(-1)
    if (free) steps.push({ kind: 'update', locale, id: free.id, draft: { ...shared, version: free.version } })
    else if (last) last.draft = { ...shared, ...last.draft }
  }
  return steps
}

/** A wrong field of the form: where it stands, and the catalogue's code for it. */
export interface FormIssue {
  name: string
  field: string
  locale: Locale | undefined
  code: string
  params: Readonly<Record<string, string | number>>
}

/** Where a field stands in the form's values. */
export function nameOfField(resource: Resource, field: string, locale: Locale | undefined): string {
  return resource.fields[field]?.localized && locale ? `texts.${locale}.${field}` : `shared.${field}`
}

/**
 * Checks what a save would send, in every language that it touches: the same `validate` as the server's.
 * Out: all issues, those of the language in sight first.
 */
export function checkForm(
  resource: Resource,
  values: FormValues,
  touched: Touched,
  family: Family,
  language: Locale,
  record: Entry | null,
): FormIssue[] {
  const check = (locale: Locale | undefined, mode: ValidationMode, draft: Values): FormIssue[] =>
    validate(resource, draft, mode, { asForm: true }).issues.map(({ path, code, params }) => {
      const field = String(path[0])
      return {
        name: nameOfField(resource, field, locale),
        field,
        locale: resource.fields[field]?.localized ? locale : undefined,
        code,
        params: params ?? {},
      }
    })
  const steps = planSave(resource, values, touched, family, language, record)
  const found = steps
    .toSorted((a, b) => Number(b.locale === language) - Number(a.locale === language))
    .flatMap((step) => check(step.locale, step.kind, step.draft))
  return [...new Map(found.map((issue) => [issue.name, issue])).values()]
}

/** How far a language is: fields that have a text, of the fields that could have one. */
export function coverageOf(resource: Resource, texts: Values | undefined): { filled: number; all: number } {
  const names = writableFields(resource).filter(([, field]) => field.localized)
  const filled = names.filter(([name]) => hasText({ [name]: texts?.[name] })).length
  return { filled, all: names.length }
}
