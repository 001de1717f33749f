/** Finds the records of the rows of a sheet and loads their present state. */
import { type Caller, type Field, foldCase, isToMany, isToOne, type Locale, type Resource } from '@dala/model'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { columnFields, columnOf, documentTable, textTable } from '../../db/schema.ts'
import { linkOf, type View } from '../../resources/attributes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { plainName } from './names/near.ts'

/** Record that an import changes, in its stored state. */
export interface StoredState {
  document: number
  /** Versions of the imported record, one for each language: equal ones mean that nothing has changed. */
  seen: string
  /**
   * Values of the imported record that all languages share, with to-one links as documents and lists of links
   * as documents in order.
   */
  shared: Readonly<Record<string, unknown>>
  texts: ReadonlyMap<Locale, { id: number; values: Readonly<Record<string, unknown>> }>
  sourceLocale: Locale | undefined
}

/** Values that identify the records of imported rows. */
export interface RecordIdentifiers {
  /** Wire ids that rows of the import name. */
  ids: readonly number[]
  /** Values of unique fields that imported rows name; localized ones with their language. */
  unique: ReadonlyMap<string, readonly { locale: Locale | undefined; value: string }[]>
  /** Titles that rows of the import name, with the language of each. */
  titles: readonly { locale: Locale | undefined; value: string }[]
}

export interface FoundRecords {
  documentsById: ReadonlyMap<number, number>
  /** Documents by `field/locale/value` with folded case; includes records that the caller may not change. */
  documentsByKey: ReadonlyMap<string, { document: number; isReachable: boolean }>
  /** Documents by `locale/title`: several records may share one title. */
  documentsByTitle: ReadonlyMap<string, ReadonlySet<number>>
}

export const uniqueKey = (field: string, locale: Locale | undefined, value: unknown): string =>
  `${field}/${locale ?? ''}/${foldCase(String(value).trim())}`
export const titleKey = (locale: Locale | undefined, title: string): string => `${locale ?? ''}/${plainName(title)}`

interface Scope {
  runner: Queries
  resource: Resource
  caller: Caller
  /** View of the records that the caller of an import may change. */
  view: View
}

/** Text of a record, with its language where it is localized. */
interface NamedRow {
  locale: Locale | null
  value: string
}

/**
 * Finds the documents of rows among those that the caller may change, with one statement for each kind of
 * identification.
 */
export async function findRecords(scope: Scope, { ids, unique, titles }: RecordIdentifiers): Promise<FoundRecords> {
  const { runner, resource, caller, view } = scope
  const documents = sql.table(documentTable(resource))
  const texts = sql.table(textTable(resource))
  /** Selects the documents that meet a condition, and whether the caller may change each. */
  const ask = <Row extends object>(columns: Template<Row>, source: Template<unknown>, condition: Template<unknown>) =>
    runScopedQuery(
      runner,
      { resource, caller, view },
      ({ from, where, document }) => sql<Row & { document: number; reachable: boolean }>`
      select ${columns}, d.id as document, d.id in (select ${sql.ref(`${document}.id`)} from ${from} where ${where}) as reachable from ${source} where ${condition}`,
    )
  const documentsWithTexts = sql`${documents} d join ${texts} t on t.document_id = d.id`
  const documentsById = new Map<number, number>()
  const documentsByKey = new Map<string, { document: number; isReachable: boolean }>()
  const documentsByTitle = new Map<string, Set<number>>()
  if (ids.length > 0) {
    const rows = resource.localized
      ? await ask(sql<{ id: number }>`t.id`, documentsWithTexts, sql`t.id = any(${[...ids]}::int[])`)
      : await ask(sql<{ id: number }>`d.id`, sql`${documents} d`, sql`d.id = any(${[...ids]}::int[])`)
    for (const { id, document, reachable } of rows) if (reachable) documentsById.set(id, document)
  }
  for (const [name, values] of unique) {
    if (values.length === 0) continue
    const isText = resource.fields[name]?.localized === true
    const column = sql`${isText ? sql`t` : sql`d`}.${sql.ref(name)}`
    const foldedValues = [...new Set(values.map(({ value }) => foldCase(value.trim())))]
    const rows = await ask(
      sql<NamedRow>`${isText ? sql`t.locale` : sql`null::text`} as locale, ${column}::text as value`,
      isText ? documentsWithTexts : sql`${documents} d`,
      sql`fold_case(${column}::text) = any(${foldedValues}::text[])`,
    )
    for (const { locale, value, document, reachable } of rows)
      documentsByKey.set(uniqueKey(name, locale ?? undefined, value), { document, isReachable: reachable })
  }
  if (titles.length > 0) await findTitles()
  return { documentsById, documentsByKey, documentsByTitle }

  async function findTitles() {
    const field: Field | undefined = resource.fields[resource.title]
    const title = sql.ref(resource.title)
    const plainTitles = [...new Set(titles.map(({ value }) => plainName(value)))]
    const isSame = (column: Template<unknown>) =>
      sql`fold_case(regexp_replace(btrim(${column}::text), '\\s+', ' ', 'g')) = any(${plainTitles}::text[])`
    if (field?.kind === 'translations') {
      const rows = await ask(
        sql<{ value: unknown }>`d.${title} as value`,
        sql`${documents} d`,
        sql`d.${title} is not null`,
      )
      for (const { value, document, reachable } of rows) {
        if (!reachable) continue
        const titlesByLocale = typeof value === 'string' ? { '': value } : ((value ?? {}) as Record<string, unknown>)
        for (const [locale, text] of Object.entries(titlesByLocale))
          if (typeof text === 'string') addTitle(locale === '' ? undefined : (locale as Locale), text, document)
      }
      return
    }
    const rows = field?.localized
      ? await ask(sql<NamedRow>`t.locale, t.${title} as value`, documentsWithTexts, isSame(sql`t.${title}`))
      : await ask(
          sql<NamedRow>`null::text as locale, d.${title}::text as value`,
          sql`${documents} d`,
          isSame(sql`d.${title}`),
        )
    for (const { locale, value, document, reachable } of rows)
      if (reachable) addTitle(locale ?? undefined, value, document)
  }
  function addTitle(locale: Locale | undefined, title: string, document: number) {
    const key = titleKey(locale, title)
    documentsByTitle.set(key, (documentsByTitle.get(key) ?? new Set()).add(document))
  }
}

/** Maximum number of documents that one statement reads. */
const portion = 1_000

/** SQL of the values of a record that all languages share. */
function sharedSql(resource: Resource): Template<unknown> {
  const scalarFields = columnFields(resource, false).filter(([, field]) => !field.private)
  const links = Object.entries<Field>(resource.fields)
  const parts = [
    ...scalarFields.map(([name]) => [name, sql`to_jsonb(d.${sql.ref(name)})`] as const),
    ...links
      .filter(([, field]) => isToOne(field))
      .map(([name]) => [name, sql`to_jsonb(d.${sql.ref(columnOf(resource, name))})`] as const),
    ...links.flatMap(([name, field]) => {
      if (!isToMany(field)) return []
      const { place } = linkOf(resource, name)
      if (place.in !== 'table') return []
      const listedSql = sql`(select coalesce(jsonb_agg(l.${sql.ref(place.otherColumn)} order by l.${sql.ref(place.position)}, l.${sql.ref(place.otherColumn)}), '[]')
        from ${sql.table(place.table)} l where l.${sql.ref(place.ownColumn)} = d.id)`
      return [[name, listedSql] as const]
    }),
  ]
  // PostgreSQL accepts at most a hundred arguments of a function, so the object is built in parts.
  const objects: Template<unknown>[] = []
  for (let start = 0; start < parts.length; start += 40) {
    const partRows = parts.slice(start, start + 40).map(([name, value]) => sql`${sql.lit(name)}::text, ${value}`)
    objects.push(sql`jsonb_build_object(${sql.join(partRows)})`)
  }
  return sql.join(objects, sql` || `)
}

function textsSql(resource: Resource): Template<unknown> {
  if (!resource.localized) return sql`null`
  const values = columnFields(resource, true)
    .filter(([, field]) => !field.private)
    .map(([name]) => sql`${sql.lit(name)}::text, t.${sql.ref(name)}`)
  return sql`(select jsonb_agg(jsonb_build_array(t.locale, t.id, jsonb_build_object(${sql.join(values)})) order by t.locale)
    from ${sql.table(textTable(resource))} t where t.document_id = d.id)`
}

/** SQL of the versions of a record whose document is in `d`. */
const versionsSql = (resource: Resource): Template<unknown> =>
  resource.localized
    ? sql`(select string_agg(t.locale || ':' || t.version, ',' order by t.locale) from ${sql.table(textTable(resource))} t where t.document_id = d.id)`
    : sql`d.version::text`

/** Reads the present state of imported records, by their documents. */
export async function loadStates(
  runner: Pick<Queries, 'rows'>,
  resource: Resource,
  documents: readonly number[],
): Promise<Map<number, StoredState>> {
  const states = new Map<number, StoredState>()
  for (let start = 0; start < documents.length; start += portion) {
    const portionDocuments = documents.slice(start, start + portion)
    const rows = await runner.rows(
      compileTemplate(sql`select d.id, ${versionsSql(resource)}, ${sharedSql(resource)}, ${textsSql(resource)}, ${resource.localized ? sql`d.source_locale` : sql`null`}
        from ${sql.table(documentTable(resource))} d where d.id = any(${portionDocuments}::int[])`),
    )
    for (const [id, seenVersion, sharedValues, texts, source] of rows) {
      const listedTexts = (texts ?? []) as [Locale, number, Record<string, unknown>][]
      states.set(Number(id), {
        document: Number(id),
        seen: String(seenVersion),
        shared: sharedValues as Record<string, unknown>,
        texts: new Map(listedTexts.map(([locale, entry, values]) => [locale, { id: entry, values }])),
        sourceLocale: (source as Locale | null) ?? undefined,
      })
    }
  }
  return states
}

/** Reads the present versions of records, by document; a deleted record has none. */
export async function readPresentVersions(
  runner: Pick<Queries, 'rows'>,
  resource: Resource,
  documents: readonly number[],
): Promise<Map<number, string>> {
  const rows = await runner.rows(
    compileTemplate(
      sql`select d.id, ${versionsSql(resource)} from ${sql.table(documentTable(resource))} d where d.id = any(${[...documents]}::int[])`,
    ),
  )
  return new Map(rows.map(([id, seenVersion]) => [Number(id), String(seenVersion)]))
}

/** Finds the stored prices of imported rows, by `product/district/day/market`. */
export async function findPrices(
  runner: Pick<Queries, 'rows'>,
  priceKeys: readonly { product: number; district: number; day: string; market: string }[],
): Promise<Map<string, number>> {
  const foundVersions = new Map<string, number>()
  for (let start = 0; start < priceKeys.length; start += portion) {
    const somePlaces = JSON.stringify(priceKeys.slice(start, start + portion))
    const rows = await runner.rows(
      compileTemplate(sql`
        select w.product, w.district, w.day, w.market, c.id
          from jsonb_to_recordset(${somePlaces}::jsonb) as w(product int, district int, day text, market text)
          join pricedates e on e.date = w.day::date
          join pricelists c on c.pricedate_id = e.id and c.product_id = w.product and c.district_id = w.district and c.market_type = w.market`),
    )
    for (const [product, district, day, market, id] of rows)
      foundVersions.set([product, district, day, market].join('/'), Number(id))
  }
  return foundVersions
}
