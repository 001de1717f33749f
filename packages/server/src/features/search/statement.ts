/**
 * Builds the statement that finds records of many resources by name, best first; equal shapes are compiled
 * once.
 */
import { maxFoundRecords, foundPerResource, isLocale, type Locale, locales, type Resource } from '@dala/model'
import type { FoundRecord } from '@dala/model/api/search'
import type { Queries } from '../../db/database.ts'
import { compile, sql, type Template } from '../../db/sql.ts'
import { LRUCache } from 'lru-cache'
import type { Statement } from '../../db/driver.ts'
import { documentTable, hasNameIndex, textTable } from '../../db/schema.ts'
import { textSeparatorSql, nameColumn } from '../../db/schema-parts.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { asPublished } from '../../resources/read/published.ts'
import type { Condition, SlotIndex } from '../../resources/read/query.ts'
import { Slot, slotSql } from '../../resources/read/slots.ts'
import { Aliases, columnSql, type EntryAlias, languageOrder } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

/**
 * Slots of one spelling of a searched text: itself and an upper bound for names that begin with it, itself
 * and `%…%` for patterns.
 */
interface NeedleSlots {
  from: SlotIndex
  to: SlotIndex
  escaped: SlotIndex
  pattern: SlotIndex
}

/** Resource of a name search, with the condition on the rows that the caller may see. */
export interface SearchedResource {
  resource: string
  scope?: Condition
}

/** Shape of a name search, without its values. `short` matches only names that begin with the text. */
export interface SearchShape {
  /** Whether the search reads published copies for the caller. */
  published: boolean
  locale: Locale
  short: boolean
  needles: NeedleSlots[]
  searched: SearchedResource[]
}

/** Maximum number of a long list's candidates that a name search ranks; users with more matches type on. */
const maxCandidates = 200

const between = sql.raw(textSeparatorSql)
const text = (slot: SlotIndex) => slotSql(slot, 'text')
const any = (parts: Sql[]) => sql`(${sql.join(parts, sql` or `)})`

const isTranslated = ({ fields, title }: Resource) => fields[title]?.kind === 'translations'
const isTitleOfText = ({ fields, title }: Resource) => fields[title]?.localized === true

/** SQL of the search key of a record: the stored key, or the keys of all languages of a multilingual text. */
function keySql(entry: EntryAlias): Sql {
  const { resource } = entry
  if (!isTranslated(resource)) return sql.ref(`${isTitleOfText(resource) ? entry.text : entry.document}.${nameColumn}`)
  const column = columnSql(entry, resource.title)
  const texts = sql.join(locales.map((locale) => sql`${column} ->> ${sql.lit(locale)}`))
  return sql`(case jsonb_typeof(${column}) when 'string' then search_key(${column} #>> '{}')
    else array_to_string(array(select search_key(v) from unnest(array[${texts}]) v where v is not null), ${between}) end)`
}

/**
 * SQL of the rank of a found name: 0 equals the text, 1 begins with it, 2 a word of it does, 3 contains it.
 */
function rankSql(key: Sql, needles: readonly NeedleSlots[]): Sql {
  const some = (pattern: (escaped: Sql) => Sql) => any(needles.map(({ escaped }) => pattern(text(escaped))))
  const words = sql`' ' || translate(${key}, ${between} || '-–("«„', '       ')`
  return sql`case
    when ${some((needle) => sql`${between} || ${key} || ${between} like '%' || ${between} || ${needle} || ${between} || '%'`)} then 0
    when ${some((needle) => sql`${between} || ${key} like '%' || ${between} || ${needle} || '%'`)} then 1
    when ${some((needle) => sql`${words} like '% ' || ${needle} || '%'`)} then 2
    else 3 end`
}

const beginsSql = (key: Sql, { from, to }: NeedleSlots) =>
  sql`(${key} collate "C" >= ${text(from)} and ${key} collate "C" < ${text(to)})`

/** SQL of the candidates of a name search: key of the document, of its name, and the rank. */
function candidatesSql(resource: Resource, scope: Condition | undefined, shape: SearchShape, aliases: Aliases): Sql {
  const { needles, short, locale } = shape
  const select = (where: (key: Sql) => Sql, tail: (key: Sql) => Sql) => {
    const leads = resource.localized && isTitleOfText(resource) ? 'text' : 'document'
    const entry = aliases.entry(resource, leads)
    const key = keySql(entry)
    const within = scope ? sql` and ${conditionSql(scope, entry, locale, aliases)}` : sql``
    const columns = sql`${entry.documentId} as doc, ${key} as k, ${rankSql(key, needles)} as rank`
    const condition = sql`${where(key)}${within}`
    return sql`(select ${columns} from ${entry.neededFrom} where ${condition}${tail(key)})`
  }
  const inside = (key: Sql) => any(needles.map(({ pattern }) => sql`${key} like ${text(pattern)}`))
  if (!hasNameIndex(resource))
    return select(
      (key) => (short ? any(needles.map((needle) => beginsSql(key, needle))) : inside(key)),
      () => sql``,
    )
  // Names that begin with the text use the B-tree, whose order puts an equal name first; others use trigrams.
  const first = needles.map((needle) =>
    select(
      (key) => beginsSql(key, needle),
      (key) => sql` order by ${key} collate "C" limit ${sql.lit(foundPerResource * locales.length)}`,
    ),
  )
  const all = short ? first : [...first, select(inside, () => sql` limit ${sql.lit(maxCandidates)}`)]
  return sql.join(all, sql` union all `)
}

/** SQL of a record's name in a list: its names, else its title. */
function nameSql(entry: EntryAlias, locale: Locale): Sql {
  const { titleFields = [], title } = entry.resource
  const column = columnSql(entry, title)
  if (isTranslated(entry.resource)) {
    const order = [locale, ...locales.filter((other) => other !== locale)]
    const texts = sql.join(order.map((item) => sql`nullif(${column} ->> ${sql.lit(item)}, '')`))
    return sql`(case jsonb_typeof(${column}) when 'string' then ${column} #>> '{}' else coalesce(${texts}) end)`
  }
  if (titleFields.length === 0) return column
  const parts = sql.join(titleFields.map((name) => sql`nullif(${columnSql(entry, name)}, '')`))
  return sql`coalesce(nullif(concat_ws(' ', ${parts}), ''), ${column})`
}

function resourceSql(
  resource: Resource,
  index: number,
  scope: Condition | undefined,
  shape: SearchShape,
  aliases: Aliases,
): Sql {
  const { locale } = shape
  const candidates = candidatesSql(resource, scope, shape, aliases)
  const best = sql`select doc, min(rank) as rank, min(k collate "C") as k from (${candidates}) as c
    group by doc order by rank, k, doc limit ${sql.lit(foundPerResource)}`
  const shown = aliases.entry(resource)
  const picked = resource.localized
    ? sql` cross join lateral (select * from ${sql.table(textTable(resource))} as p where p.document_id = best.doc
        order by ${languageOrder(sql`p.locale`, undefined, locale)} limit 1) as ${sql.ref(shown.text)}`
    : sql``
  const language = resource.localized ? sql.ref(`${shown.text}.locale`) : sql`null::text`
  return sql`(select ${sql.lit(resource.wire)}::text as resource, ${sql.ref(`${shown.text}.id`)} as id,
      ${nameSql(shown, locale)} as name, ${language} as locale, best.rank, ${sql.lit(index)} as place, best.k
    from (${best}) as best join ${sql.table(documentTable(resource))} as ${sql.ref(shown.document)}
      on ${sql.ref(`${shown.document}.id`)} = best.doc${picked})`
}

const compiled = new LRUCache<string, Statement>({ max: 200 })

/**
 * Builds the statement of a name search, which is long and differs by role.
 *
 * @param runner - The connection that runs it.
 * @param shape - The shape of the search.
 * @param values - The values of its slots.
 * @returns The statement, cached by shape.
 */
export function searchStatement(
  runner: Pick<Queries, 'parts'>,
  shape: SearchShape,
  values: readonly unknown[],
): Statement {
  const key = JSON.stringify(shape)
  let cached = compiled.get(key)
  if (!cached) {
    const aliases = new Aliases(runner)
    const parts = shape.searched.map(({ resource, scope }, index) =>
      resourceSql(resourceNamed(resource), index, scope, shape, aliases),
    )
    const statement = sql`select resource, id, name, locale, rank from (${sql.join(parts, sql` union all `)}) as found
      order by rank, place, k, id limit ${sql.lit(maxFoundRecords)}`
    cached = compile(asPublished(statement, shape.published ? 'copies' : undefined))
    compiled.set(key, cached)
  }
  const parameters = cached.parameters.map((item) => (item instanceof Slot ? values[item.index] : item))
  return { sql: cached.sql, parameters }
}

/** Decodes a row of the search's statement. */
export function toFound([resource, id, name, locale, rank]: readonly unknown[]): FoundRecord {
  return {
    resource: String(resource),
    id: Number(id),
    name: typeof name === 'string' ? name : '',
    locale: isLocale(locale) ? locale : null,
    rank: Number(rank),
  }
}
