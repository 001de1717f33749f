/**
 * Builds the statement that finds records of many resources by name, best first; equal shapes are compiled
 * once.
 */
import { maxFoundRecords, foundPerResource, isLocale, type Locale, locales, type Resource } from '@dala/model'
import type { FoundRecord } from '@dala/model/api/search'
import type { Queries } from '../../db/database.ts'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import { LRUCache } from 'lru-cache'
import type { Statement } from '../../db/driver.ts'
import { documentTable, hasNameIndex, textTable } from '../../db/schema.ts'
import { textSeparatorSql, nameColumn } from '../../db/schema-parts.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { readPublishedVersion } from '../../resources/read/published.ts'
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
  escapedSlot: SlotIndex
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
  isPublished: boolean
  locale: Locale
  isShort: boolean
  needles: NeedleSlots[]
  searchedResources: SearchedResource[]
}

/** Maximum number of a long list's candidates that a name search ranks; users with more matches type on. */
const maxCandidates = 200

const separatorSql = sql.raw(textSeparatorSql)
const text = (slot: SlotIndex) => slotSql(slot, 'text')
const joinAlternatives = (parts: Sql[]) => sql`(${sql.join(parts, sql` or `)})`

const isTranslated = ({ fields, title }: Resource) => fields[title]?.kind === 'translations'
const isTitleOfText = ({ fields, title }: Resource) => fields[title]?.localized === true

/** SQL of the search key of a record: the stored key, or the keys of all languages of a multilingual text. */
function keySql(entry: EntryAlias): Sql {
  const { resource } = entry
  if (!isTranslated(resource)) return sql.ref(`${isTitleOfText(resource) ? entry.text : entry.document}.${nameColumn}`)
  const column = columnSql(entry, resource.title)
  const texts = sql.join(locales.map((locale) => sql`${column} ->> ${sql.lit(locale)}`))
  return sql`(case jsonb_typeof(${column}) when 'string' then search_key(${column} #>> '{}')
    else array_to_string(array(select search_key(v) from unnest(array[${texts}]) v where v is not null), ${separatorSql}) end)`
}

/**
 * SQL of the rank of a found name: 0 equals the text, 1 begins with it, 2 a word of it does, 3 contains it.
 */
function matchRankSql(key: Sql, needles: readonly NeedleSlots[]): Sql {
  const matchesSomeSql = (pattern: (escapedText: Sql) => Sql) =>
    joinAlternatives(needles.map(({ escapedSlot }) => pattern(text(escapedSlot))))
  const spacedKeySql = sql`' ' || translate(${key}, ${separatorSql} || '-–("«„', '       ')`
  return sql`case
    when ${matchesSomeSql((needle) => sql`${separatorSql} || ${key} || ${separatorSql} like '%' || ${separatorSql} || ${needle} || ${separatorSql} || '%'`)} then 0
    when ${matchesSomeSql((needle) => sql`${separatorSql} || ${key} like '%' || ${separatorSql} || ${needle} || '%'`)} then 1
    when ${matchesSomeSql((needle) => sql`${spacedKeySql} like '% ' || ${needle} || '%'`)} then 2
    else 3 end`
}

const beginsWithSql = (key: Sql, { from, to }: NeedleSlots) =>
  sql`(${key} collate "C" >= ${text(from)} and ${key} collate "C" < ${text(to)})`

/** SQL of the candidates of a name search: key of the document, of its name, and the rank. */
function candidatesSql(resource: Resource, scope: Condition | undefined, shape: SearchShape, aliases: Aliases): Sql {
  const { needles, isShort, locale } = shape
  const selectSql = (conditionOf: (key: Sql) => Sql, tail: (key: Sql) => Sql) => {
    const leadingTable = resource.localized && isTitleOfText(resource) ? 'text' : 'document'
    const entry = aliases.entry(resource, leadingTable)
    const key = keySql(entry)
    const scopeSql = scope ? sql` and ${conditionSql(scope, entry, locale, aliases)}` : sql``
    const columns = sql`${entry.documentId} as doc, ${key} as k, ${matchRankSql(key, needles)} as rank`
    const condition = sql`${conditionOf(key)}${scopeSql}`
    return sql`(select ${columns} from ${entry.neededFrom} where ${condition}${tail(key)})`
  }
  const insideSql = (key: Sql) => joinAlternatives(needles.map(({ pattern }) => sql`${key} like ${text(pattern)}`))
  if (!hasNameIndex(resource))
    return selectSql(
      (key) => (isShort ? joinAlternatives(needles.map((needle) => beginsWithSql(key, needle))) : insideSql(key)),
      () => sql``,
    )
  // Names that begin with the text use the B-tree, whose order puts an equal name first; others use trigrams.
  const firstSql = needles.map((needle) =>
    selectSql(
      (key) => beginsWithSql(key, needle),
      (key) => sql` order by ${key} collate "C" limit ${sql.lit(foundPerResource * locales.length)}`,
    ),
  )
  const selectsSql = isShort
    ? firstSql
    : [...firstSql, selectSql(insideSql, () => sql` limit ${sql.lit(maxCandidates)}`)]
  return sql.join(selectsSql, sql` union all `)
}

/** SQL of a record's name in a list: its names, else its title. */
function nameSql(entry: EntryAlias, locale: Locale): Sql {
  const { titleFields = [], title } = entry.resource
  const column = columnSql(entry, title)
  if (isTranslated(entry.resource)) {
    const order = [locale, ...locales.filter((otherLocale) => otherLocale !== locale)]
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
  const bestRankSql = sql`select doc, min(rank) as rank, min(k collate "C") as k from (${candidates}) as c
    group by doc order by rank, k, doc limit ${sql.lit(foundPerResource)}`
  const shownEntry = aliases.entry(resource)
  const pickedSql = resource.localized
    ? sql` cross join lateral (select * from ${sql.table(textTable(resource))} as p where p.document_id = best.doc
        order by ${languageOrder(sql`p.locale`, undefined, locale)} limit 1) as ${sql.ref(shownEntry.text)}`
    : sql``
  const language = resource.localized ? sql.ref(`${shownEntry.text}.locale`) : sql`null::text`
  return sql`(select ${sql.lit(resource.wire)}::text as resource, ${sql.ref(`${shownEntry.text}.id`)} as id,
      ${nameSql(shownEntry, locale)} as name, ${language} as locale, best.rank, ${sql.lit(index)} as place, best.k
    from (${bestRankSql}) as best join ${sql.table(documentTable(resource))} as ${sql.ref(shownEntry.document)}
      on ${sql.ref(`${shownEntry.document}.id`)} = best.doc${pickedSql})`
}

const compiledStatements = new LRUCache<string, Statement>({ max: 200 })

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
  let cachedStatement = compiledStatements.get(key)
  if (!cachedStatement) {
    const aliases = new Aliases(runner)
    const parts = shape.searchedResources.map(({ resource, scope }, index) =>
      resourceSql(resourceNamed(resource), index, scope, shape, aliases),
    )
    const statement = sql`select resource, id, name, locale, rank from (${sql.join(parts, sql` union all `)}) as found
      order by rank, place, k, id limit ${sql.lit(maxFoundRecords)}`
    cachedStatement = compileTemplate(readPublishedVersion(statement, shape.isPublished ? 'copies' : undefined))
    compiledStatements.set(key, cachedStatement)
  }
  const parameters = cachedStatement.parameters.map((item) => (item instanceof Slot ? values[item.index] : item))
  return { sql: cachedStatement.sql, parameters }
}

/** Decodes a row of the search's statement. */
export function toFoundRecord([resource, id, name, locale, rank]: readonly unknown[]): FoundRecord {
  return {
    resource: String(resource),
    id: Number(id),
    name: typeof name === 'string' ? name : '',
    locale: isLocale(locale) ? locale : null,
    rank: Number(rank),
  }
}
