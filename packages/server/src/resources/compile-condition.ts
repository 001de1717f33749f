/** Compiles conditions of a checked query into SQL; values appear as slots only. */
import { type Locale, locales, type Resource, type Storage } from '@dala/model'
import { type RawBuilder, sql } from 'kysely'
import { columnOf, documentTable, inboundLinks, textTable } from '../db/schema.ts'
import { searchColumn } from '../db/schema-parts.ts'
import { resourceNamed, resources } from './attributes.ts'
import { mentionTable } from './mentions.ts'
import type { Comparison, Condition, MentionedBy, SlotIndex } from './query.ts'
import { boundAs } from './query-values.ts'
import { slotSql } from './slots.ts'
import { type Aliases, columnAttribute, comparedSql, type EntryAlias, linkAttribute, relatedSql } from './sql-entry.ts'

type Sql = RawBuilder<unknown>

const infix: Partial<Record<Comparison, string>> = { $eq: '=', $ne: '<>', $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' }
const patterns: ReadonlySet<Comparison> = new Set(['$contains', '$notContains', '$startsWith', '$endsWith'])
const foldedPatterns: ReadonlySet<Comparison> = new Set(['$containsi', '$notContainsi', '$startsWithi', '$endsWithi'])

/** SQL of one comparison. Null columns match no negative operator: SQL's own logic, as contract §6 says. */
function comparisonSql(column: Sql, is: Comparison, value: SlotIndex, storage: Storage): Sql {
  if (is === '$null') return sql`${column} is null`
  if (is === '$notNull') return sql`${column} is not null`
  const type = boundAs[storage]
  if (is === '$in') return sql`${column} = any(${slotSql(value, `${type}[]`)})`
  if (is === '$notIn') return sql`${column} <> all(${slotSql(value, `${type}[]`)})`
  if (is === '$search') return sql`search_key(${column}) like ${slotSql(value, 'text')}`
  if (is === '$eqi') return sql`fold_case(${column}) = ${slotSql(value, 'text')}`
  if (is === '$nei') return sql`fold_case(${column}) <> ${slotSql(value, 'text')}`
  const not = is.startsWith('$not') ? sql`not ` : sql``
  if (patterns.has(is)) return sql`${column} ${not}like ${slotSql(value, 'text')}`
  if (foldedPatterns.has(is)) return sql`fold_case(${column}) ${not}like ${slotSql(value, 'text')}`
  const compared = storage === 'text' && is !== '$eq' && is !== '$ne' ? sql`${column} collate "C"` : column
  return sql`${compared} ${sql.raw(infix[is] ?? '=')} ${slotSql(value, type)}`
}

/**
 * SQL of a condition on an entry. `negated`: inside of a `$not`, where false and unknown are no longer the same, so
 * that what leads through a missing record has to stay unknown (contract §6).
 */
export function conditionSql(
  condition: Condition,
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
  negated = false,
): Sql {
  const nested = (inner: Condition) => conditionSql(inner, entry, locale, aliases, negated)
  if ('all' in condition) return joined(condition.all.map(nested), 'and', 'true')
  if ('any' in condition) return joined(condition.any.map(nested), 'or', 'false')
  if ('not' in condition) return sql`not (${conditionSql(condition.not, entry, locale, aliases, true)})`
  if ('field' in condition) {
    const { storage } = columnAttribute(entry.resource, condition.field)
    return comparisonSql(comparedSql(entry, condition.field, locale), condition.is, condition.value, storage)
  }
  if ('found' in condition) return foundSql(condition, entry)
  if ('sides' in condition) return joined(condition.sides.map(nested), 'or', 'false')
  if ('unheld' in condition) return unheldSql(entry)
  if ('shown' in condition) return shownBySql(condition, entry, locale, aliases)
  if ('silent' in condition) {
    return sql`btrim(coalesce(${comparedSql(entry, condition.silent, condition.in)}, '')) = ''`
  }
  if ('spoken' in condition) {
    const texts = locales.map((own) => comparedSql(entry, condition.spoken, own))
    return joined(
      texts.map((text) => comparisonSql(text, '$search', condition.value, 'text')),
      'or',
      'false',
    )
  }
  if ('document' in condition) {
    const word = sql.raw(condition.document === '$notIn' ? 'not in' : 'in')
    return sql`${entry.documentId} ${word} ${documentsSql(entry.resource, condition.value)}`
  }
  const { target, place } = linkAttribute(entry.resource, condition.link)
  if ('empty' in condition) {
    if (place.in === 'column') {
      return sql`${sql.ref(`${entry.document}.${place.column}`)} ${sql.raw(condition.empty ? 'is null' : 'is not null')}`
    }
    const related = relatedSql(entry, target, place, locale, aliases, 'documents')
    return sql`${sql.raw(condition.empty ? 'not ' : '')}exists (select 1 from ${related.from} where ${related.tied})`
  }
  if ('targets' in condition) return targetsSql(condition, entry, locale, aliases, negated)
  const related = relatedSql(entry, target, place, locale, aliases)
  const toOne = negated && place.in === 'column'
  const some = conditionSql(condition.some, related.entry, locale, aliases, toOne)
  const scope = condition.scope ? sql` and ${conditionSql(condition.scope, related.entry, locale, aliases)}` : sql``
  // No record, no row, no truth: `exists` would say false, and its opposite would find those without one.
  if (toOne) return sql`(select ${some} from ${related.from} where ${related.tied}${scope})`
  return sql`exists (select 1 from ${related.from} where ${related.tied} and ${some}${scope})`
}

/** The search text of the entry, or of its document, holds one of the patterns. */
function foundSql({ found, in: side }: Extract<Condition, { found: unknown }>, entry: EntryAlias): Sql {
  const column = sql.ref(`${side === 'texts' ? entry.text : entry.document}.${searchColumn}`)
  return joined(
    found.map((value) => sql`${column} like ${slotSql(value, 'text')}`),
    'or',
    'false',
  )
}

/** Nothing that is stored with its holder points at the document, and no text names the file. */
function unheldSql({ resource, documentId }: EntryAlias): Sql {
  const parts = inboundLinks(resource, resources).map((link) => {
    const { table, column } =
      link.storage.in === 'column'
        ? { table: documentTable(link.resource), column: link.storage.column }
        : { table: link.storage.table, column: link.storage.other }
    return sql`not exists (select 1 from ${sql.table(table)} as held where ${sql.ref(`held.${column}`)} = ${documentId})`
  })
  if (resource.name === 'uploads')
    parts.push(sql`not exists (select 1 from ${sql.table(mentionTable)} as held where held.file_id = ${documentId})`)
  return joined(parts, 'and', 'true')
}

/**
 * Some of the sources shows the document. Each source is an `exists` of its own: the database decides for each whether
 * it looks links up one by one, by their index, or reads them once.
 */
function shownBySql(
  { shown: sources, mentioned }: Extract<Condition, { shown: unknown }>,
  shown: EntryAlias,
  locale: Locale,
  aliases: Aliases,
): Sql {
  const parts = sources.map(({ resource: name, field, scope }) => {
    const resource = resourceNamed(name)
    const { place } = linkAttribute(resource, field)
    const holder = aliases.entry(resource, 'document')
    const within = scope ? sql` and ${conditionSql(scope, holder, locale, aliases)}` : sql``
    if (place.in !== 'table') {
      const tied = sql`${sql.ref(`${holder.document}.${columnOf(resource, field)}`)} = ${shown.documentId}`
      return sql`exists (select 1 from ${holder.neededFrom} where ${tied}${within})`
    }
    const link = aliases.next('l')
    const tied = sql`${sql.ref(`${link}.${place.other}`)} = ${shown.documentId}`
    const links = sql`${sql.table(place.table)} as ${sql.ref(link)}`
    return scope
      ? sql`exists (select 1 from ${links} join ${holder.neededFrom} on ${holder.documentId} = ${sql.ref(`${link}.${place.own}`)} where ${tied}${within})`
      : sql`exists (select 1 from ${links} where ${tied})`
  })
  if (mentioned.length > 0) parts.push(mentionedBySql(mentioned, shown, locale, aliases))
  return joined(parts, 'or', 'false')
}

/** Some of the sources names the file. A file that no text names costs one look into the index of mentions. */
function mentionedBySql(sources: readonly MentionedBy[], shown: EntryAlias, locale: Locale, aliases: Aliases): Sql {
  const mention = aliases.next('m')
  const column = (name: string) => sql.ref(`${mention}.${name}`)
  const parts = sources.map(({ resource: name, fields, localized, scope }) => {
    const resource = resourceNamed(name)
    const named = sql`${column('resource')} = ${sql.lit(documentTable(resource))} and ${column('field')} in (${sql.join(fields.map((field) => sql.lit(field)))})`
    if (!scope) return sql`(${named})`
    const holder = aliases.entry(resource, localized ? 'text' : 'document')
    const within = conditionSql(scope, holder, locale, aliases)
    const tied = localized
      ? sql`${sql.ref(`${holder.text}.id`)} = ${column('entry_id')}`
      : sql`${holder.documentId} = ${column('document_id')}`
    return sql`(${named} and exists (select 1 from ${holder.neededFrom} where ${tied} and ${within}))`
  })
  return sql`exists (select 1 from ${sql.table(mentionTable)} as ${sql.ref(mention)} where ${column('file_id')} = ${shown.documentId} and ${joined(parts, 'or', 'false')})`
}

/**
 * What a list is narrowed by, as conditions of which one must be true.
 *
 * `_q` looks into two tables. An `or` over both could use an index of neither, so a statement asks once for each side,
 * and joins what it gets (decision 14).
 */
export function alternativesOf(where: Condition | undefined): (Condition | undefined)[] {
  const search = where && 'all' in where ? where.all.find((part) => 'sides' in part) : where
  if (!where || !search || !('sides' in search) || !search.indexed || search.sides.length < 2) return [where]
  if (!('all' in where)) return search.sides
  return search.sides.map((side) => ({ all: where.all.map((part) => (part === search ? side : part)) }))
}

/** The link holds (or holds something else than) the documents that the ids name, in whatever language. */
function targetsSql(
  { link, targets, value }: Extract<Condition, { targets: unknown }>,
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
  negated: boolean,
): Sql {
  const { target, place } = linkAttribute(entry.resource, link)
  const ids = slotSql(value, 'bigint[]')
  const related = relatedSql(entry, target, place, locale, aliases, 'documents')
  const not = sql.raw(targets === '$notIn' ? 'not ' : '')
  if (place.in === 'family') {
    return sql`exists (select 1 from ${related.from} where ${related.tied} and ${not}(${sql.ref(`${related.entry.text}.id`)} = any(${ids})))`
  }
  const documents = documentsSql(target, value)
  if (place.in === 'column') {
    const column = sql.ref(`${entry.document}.${place.column}`)
    const isIn = sql`${column} ${not}in ${documents}`
    // Ids that nobody has name an empty list, and SQL says of null as well whether it stands in that.
    return negated || targets === '$notIn' ? sql`case when ${column} is not null then ${isIn} end` : isIn
  }
  return sql`exists (select 1 from ${related.from} where ${related.tied} and ${sql.ref(`${related.entry.document}.id`)} ${not}in ${documents})`
}

/** The documents that ids name, in whatever language. */
function documentsSql(target: Resource, value: SlotIndex): Sql {
  const ids = slotSql(value, 'bigint[]')
  return target.localized
    ? sql`(select document_id from ${sql.table(textTable(target))} where id = any(${ids}))`
    : sql`(select unnest(${ids}))`
}

function joined(parts: Sql[], word: 'and' | 'or', empty: 'true' | 'false'): Sql {
  if (parts.length === 0) return sql.raw(empty)
  return sql`(${sql.join(parts, sql.raw(` ${word} `))})`
}
