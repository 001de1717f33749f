/** Finds the link targets of a sheet by any of their names, and suggests those that are spelled alike. */
import {
  type Caller,
  choiceLabel,
  type Field,
  foldCase,
  type ImportLink,
  isScalar,
  isToOne,
  type Locale,
  readTranslations,
  type Resource,
  writtenLocales,
} from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { columnOf, documentTable, textTable } from '../../../db/schema.ts'
import { viewOfResource } from '../../../resources/attributes.ts'
import { runScopedQuery } from '../../../resources/read/scoped.ts'
import { firstLabelIn } from './headings.ts'
import { suggestNames, plainName, type SpelledName, spelledNames } from './near.ts'

/** Maximum number of records whose names are in memory; above it, only names in the file are read. */
const maxKnownNames = 20_000

/** Record that a link of a sheet can lead to. */
export interface LinkTarget extends ImportLink {
  document: number
  details: Readonly<Record<string, unknown>>
}

/** Whether a value is a record that a link was resolved to. */
export const isKnown = (value: unknown): value is LinkTarget =>
  typeof value === 'object' && value !== null && 'document' in value

/** Records that a link of a sheet can lead to, with all their names. */
export class LinkTargets {
  readonly #byDocument = new Map<number, LinkTarget>()
  readonly #byId = new Map<number, LinkTarget>()
  readonly #byName = new Map<string, Set<LinkTarget>>()
  readonly #names: [string, LinkTarget][] = []
  #near: SpelledName<LinkTarget>[] | undefined

  add(knownTarget: LinkTarget, ids: readonly number[], names: readonly string[]): void {
    this.#byDocument.set(knownTarget.document, knownTarget)
    for (const id of ids) this.#byId.set(id, knownTarget)
    for (const name of new Set(names)) {
      const namesakes = this.#byName.get(plainName(name)) ?? new Set()
      this.#byName.set(plainName(name), namesakes.add(knownTarget))
      this.#names.push([name, knownTarget])
    }
  }

  /** Returns the link target with the key of a document. */
  of(document: number): LinkTarget | undefined {
    return this.#byDocument.get(document)
  }
  /** Returns the link target with a wire id of any language. */
  ofId(id: number): LinkTarget | undefined {
    return this.#byId.get(id)
  }
  /** Returns the link targets with a name; `#12` names one by its id. */
  named(name: string): LinkTarget[] {
    const numberMatch = /^#(\d{1,9})$/.exec(name.trim())
    const numberedTarget = numberMatch ? this.#byId.get(Number(numberMatch[1])) : undefined
    return numberedTarget ? [numberedTarget] : [...(this.#byName.get(plainName(name)) ?? [])]
  }
  /** Returns link targets whose names are spelled alike, best first. */
  like(name: string): LinkTarget[] {
    this.#near ??= spelledNames(this.#names)
    return suggestNames(name, this.#near)
  }
  /** Returns all names of a link target. */
  namesOf(knownTarget: LinkTarget): string[] {
    return this.#names.flatMap(([name, namedTarget]) => (namedTarget === knownTarget ? [name] : []))
  }
  /** Returns all link targets, sorted by name. */
  all(): LinkTarget[] {
    return [...this.#byDocument.values()]
  }
}

/** Returns the fields that name a record: its title, unique fields, label words and multilingual texts. */
function namingFields({ fields, title, titleFields = [], titleChoice }: Resource): {
  documentFields: string[]
  textFields: string[]
} {
  const names = Object.entries<Field>(fields).filter(
    ([name, field]) =>
      isScalar(field) &&
      !field.private &&
      !field.computed &&
      !('from' in field && field.from) &&
      (name === title ||
        titleFields.includes(name) ||
        name === titleChoice ||
        field.kind === 'translations' ||
        (field.kind === 'json' && field.list === 'textList') ||
        (field.unique === true && ['text', 'slug', 'email', 'date'].includes(field.kind))),
  )
  return {
    documentFields: names.filter(([, field]) => !field.localized).map(([name]) => name),
    textFields: names.filter(([, field]) => field.localized).map(([name]) => name),
  }
}

interface DirectoryRequest {
  resource: Resource
  caller: Caller
  /** Columns of the link targets that rules need: fields, with to-one links as documents. */
  targetColumns: readonly string[]
  /** Names of link targets in the imported file; of a long list only these are read. */
  names: readonly string[]
}

interface Row {
  document: number
  own: Readonly<Record<string, unknown>>
  texts: readonly TextRow[] | null
  details: Readonly<Record<string, unknown>>
}
type TextRow = { id: number; locale: Locale } & Record<string, unknown>

const pairs = (names: readonly string[], column: (name: string) => Template<unknown>) =>
  names.length === 0
    ? sql`'{}'::jsonb`
    : sql`jsonb_build_object(${sql.join(names.map((name) => sql`${sql.lit(name)}::text, ${column(name)}`))})`

/** Returns the texts in a stored value of a naming field. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string')
  if (typeof value === 'object' && value !== null)
    return Object.values(value).filter((item) => typeof item === 'string')
  return []
}

/** Returns the title of a link target in a language. */
function titleOf(resource: Resource, ownColumns: Row['own'], texts: readonly TextRow[], language: Locale): string {
  const order = [language, 'en', 'ru', 'uz', 'kaa']
  const orderedTexts = texts.toSorted((a, b) => order.indexOf(a.locale) - order.indexOf(b.locale))
  const value = ownColumns[resource.title] ?? orderedTexts.map((text) => text[resource.title]).find((text) => text)
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? (readTranslations(value, language) ?? '') : ''
}

/**
 * Reads the names of the records of a resource that a caller may see.
 *
 * @param runner - The database.
 * @param request - The resource, the caller, and the needed columns and names.
 * @returns The names; empty when the caller may not list the resource.
 */
export async function loadDirectory(runner: Queries, request: DirectoryRequest): Promise<LinkTargets> {
  const { resource, caller } = request
  const directory = new LinkTargets()
  const view = viewOfResource(resource, caller, 'list')
  if (!view) return directory
  let rows = await readRows(runner, request, view, false)
  if (rows.length > maxKnownNames) rows = await readRows(runner, request, view, true)
  for (const { document, own, texts, details } of rows) {
    const textRows = texts ?? []
    const titleNames = (resource.titleFields ?? [])
      .map((name) => own[name])
      .filter((titlePart) => typeof titlePart === 'string' && titlePart)
    const names = [
      ...Object.values(own),
      ...textRows.flatMap(({ id: _id, locale: _locale, ...text }) => Object.values(text)),
    ]
    const ids = resource.localized ? textRows.map(({ id }) => id) : [document]
    const [firstId] = ids
    if (firstId === undefined) continue
    const title = titleOf(resource, own, textRows, caller.language)
    directory.add(
      { id: firstId, document, name: titleNames.length > 1 ? `${titleNames.join(' ')} (${title})` : title, details },
      ids,
      [
        ...names.flatMap(textsOf),
        ...codeLabelsOf(resource, own),
        ...(titleNames.length > 0 ? [titleNames.join(' ')] : []),
      ].filter((name) => name.trim() !== ''),
    )
  }
  return directory
}

/** Returns the labels of a record that is named by a code. */
function codeLabelsOf(resource: Resource, ownColumns: Row['own']): string[] {
  const { titleChoice } = resource
  const code = titleChoice === undefined ? undefined : ownColumns[titleChoice]
  if (titleChoice === undefined || typeof code !== 'string') return []
  return writtenLocales.map((language) => firstLabelIn(language, choiceLabel(resource, titleChoice, code)))
}

function readRows(
  runner: Queries,
  { resource, caller, targetColumns, names }: DirectoryRequest,
  view: object,
  hasOnlyNamed: boolean,
) {
  const { documentFields, textFields } = namingFields(resource)
  const [documents, texts] = [sql.table(documentTable(resource)), sql.table(textTable(resource))]
  const foldedNames = [...new Set(names.map((name) => foldCase(name.trim())))]
  const ids = names.flatMap((name) => /^#(\d{1,9})$/.exec(name.trim())?.[1] ?? []).map(Number)
  const title = sql.ref(resource.title)
  const isText = resource.fields[resource.title]?.localized === true
  const isNamed = isText
    ? sql`exists (select 1 from ${texts} n where n.document_id = d.id and (fold_case(n.${title}) = any(${foldedNames}::text[]) or n.id = any(${ids}::int[])))`
    : sql`(fold_case(d.${title}::text) = any(${foldedNames}::text[]) or d.id = any(${ids}::int[]))`
  const listedSql = resource.localized
    ? sql`(select jsonb_agg(jsonb_build_object('id', t.id, 'locale', t.locale) || ${pairs(textFields, (name) => sql`t.${sql.ref(name)}`)} order by t.locale)
         from ${texts} t where t.document_id = d.id)`
    : sql`null`
  return runScopedQuery(
    runner,
    { resource, caller, view },
    ({ from, where, document }) => sql<Row>`
    select d.id as document, ${pairs(documentFields, (name) => sql`d.${sql.ref(name)}`)} as own, ${listedSql} as texts,
           ${pairs(targetColumns, (name) => sql`d.${sql.ref(columnOf(resource, name))}`)} as details
      from ${documents} d
     where d.id in (select ${sql.ref(`${document}.id`)} from ${from} where ${where}) and ${hasOnlyNamed ? isNamed : sql`true`}
     order by d.id limit ${maxKnownNames + 1}`,
  )
}

/** Returns the text of the first catalogue key that has one in a language. */
export const toOneLinks = (resource: Resource): string[] =>
  Object.entries<Field>(resource.fields)
    .filter(([, field]) => isToOne(field))
    .map(([name]) => name)
