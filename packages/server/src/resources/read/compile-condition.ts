/** Compiles conditions of a checked query into SQL; values appear only as slots. */
import { type Locale, locales, type Resource, type Storage } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { publishedTable } from '../../db/published-tables.ts'
import { columnOf, documentTable, inboundLinks, keyColumnOf, textTable } from '../../db/schema.ts'
import { searchColumn } from '../../db/schema-parts.ts'
import { type LinkPlace, resourceNamed, resources } from '../attributes.ts'
import { mentionTable, pictureSettingsSql } from '../mentions.ts'
import type { CaseFolding, Comparison, Condition, FieldCondition, MentionedBy, SlotIndex } from './query.ts'
import { boundTypes, isFolded } from './query-values.ts'
import { slotSql } from './slots.ts'
import { type Aliases, columnAttribute, comparedSql, type EntryAlias, linkAttribute, relatedSql } from './sql-entry.ts'

type Sql = Template<unknown>

const infixOperators: Partial<Record<Comparison, string>> = {
  $eq: '=',
  $ne: '<>',
  $lt: '<',
  $lte: '<=',
  $gt: '>',
  $gte: '>=',
}
const patterns: ReadonlySet<Comparison> = new Set(['$contains', '$notContains', '$startsWith', '$endsWith'])
const equalities: ReadonlySet<Comparison> = new Set(['$eqi', '$nei'])

/** SQL of a column in lower case, or unchanged where the compared pattern covers all spellings. */
function foldedSql(column: Sql, caseFolding: CaseFolding): Sql {
  switch (caseFolding) {
    case 'ascii':
      // The collation C lowers ASCII letters only; İ is the only other letter with an ASCII lower case.
      return sql`replace(lower(${column} collate "C"), 'İ', 'i')`
    case 'pattern':
      return sql`${column} collate "C"`
    case 'table':
      return sql`fold_case(${column})`
  }
}

/** SQL of a case-insensitive comparison. */
function caselessSql(column: Sql, { is, value, caseFolding = 'table' }: FieldCondition): Sql {
  const isNegated = is.startsWith('$n')
  const operator =
    caseFolding === 'pattern' ? (isNegated ? '!~' : '~') : equalities.has(is) ? (isNegated ? '<>' : '=') : undefined
  const operatorText = operator ?? (isNegated ? 'not like' : 'like')
  return sql`${foldedSql(column, caseFolding)} ${sql.raw(operatorText)} ${slotSql(value, 'text')}`
}

/** SQL of one comparison. Null columns match no negative operator: SQL's own logic, as contract §6 states. */
function comparisonSql(column: Sql, condition: FieldCondition, storage: Storage): Sql {
  const { is, value } = condition
  if (is === '$null') return sql`${column} is null`
  if (is === '$notNull') return sql`${column} is not null`
  const type = boundTypes[storage]
  if (is === '$in') return sql`${column} = any(${slotSql(value, `${type}[]`)})`
  if (is === '$notIn') return sql`${column} <> all(${slotSql(value, `${type}[]`)})`
  if (is === '$search') return sql`search_key(${column}) like ${slotSql(value, 'text')}`
  if (isFolded(is)) return caselessSql(column, condition)
  const notSql = is.startsWith('$not') ? sql`not ` : sql``
  if (patterns.has(is)) return sql`${column} ${notSql}like ${slotSql(value, 'text')}`
  const comparedColumn = storage === 'text' && is !== '$eq' && is !== '$ne' ? sql`${column} collate "C"` : column
  return sql`${comparedColumn} ${sql.raw(infixOperators[is] ?? '=')} ${slotSql(value, type)}`
}

/**
 * SQL of a field comparison. Where the search key of a text is stored, an index on it finds candidates. A key
 * is never null where its text is not, so inside a `$not` only the comparison is used.
 */
function fieldSql(condition: FieldCondition, entry: EntryAlias, locale: Locale, negated: boolean): Sql {
  const { field, key } = condition
  const { storage } = columnAttribute(entry.resource, field)
  const exactSql = comparisonSql(comparedSql(entry, field, locale), condition, storage)
  const column = negated || key === undefined ? undefined : keyColumnOf(entry.resource, field)
  if (column === undefined || key === undefined) return exactSql
  const entrySide = entry.resource.fields[field]?.localized ? entry.text : entry.document
  return sql`(${sql.ref(`${entrySide}.${column}`)} like ${slotSql(key, 'text')} and ${exactSql})`
}

/**
 * SQL of a condition on an entry. `negated`: inside a `$not`, where false and unknown differ, so that a path
 * through a missing record must stay unknown (contract §6).
 */
export function conditionSql(
  condition: Condition,
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
  negated = false,
): Sql {
  const nestedSql = (innerCondition: Condition) => conditionSql(innerCondition, entry, locale, aliases, negated)
  if ('all' in condition) return joinParts(condition.all.map(nestedSql), 'and', 'true')
  if ('any' in condition) return joinParts(condition.any.map(nestedSql), 'or', 'false')
  if ('not' in condition) return sql`not (${conditionSql(condition.not, entry, locale, aliases, true)})`
  if ('field' in condition) return fieldSql(condition, entry, locale, negated)
  if ('found' in condition) return searchMatchSql(condition, entry)
  if ('sides' in condition) return joinParts(condition.sides.map(nestedSql), 'or', 'false')
  if ('unheld' in condition) return unreferencedSql(entry)
  if ('shown' in condition) return shownByHolderSql(condition, entry, locale, aliases)
  if ('silent' in condition) {
    return sql`btrim(coalesce(${comparedSql(entry, condition.silent, condition.in)}, '')) = ''`
  }
  if ('spoken' in condition) {
    const { spoken: field, value } = condition
    const texts = locales.map((language) => comparedSql(entry, field, language))
    return joinParts(
      texts.map((text) => comparisonSql(text, { field, is: '$search', value }, 'text')),
      'or',
      'false',
    )
  }
  if ('document' in condition) {
    return isOneOfSql(entry.documentId, condition.document, entry.resource, condition.value)
  }
  const { target, place } = linkAttribute(entry.resource, condition.link)
  if ('empty' in condition) {
    if (place.in === 'column') {
      return sql`${sql.ref(`${entry.document}.${place.column}`)} ${sql.raw(condition.empty ? 'is null' : 'is not null')}`
    }
    const relatedSource = relatedSql(entry, target, place, locale, aliases, 'documents')
    return sql`${sql.raw(condition.empty ? 'not ' : '')}exists (select 1 from ${relatedSource.fromSql} where ${relatedSource.tieSql})`
  }
  if ('targets' in condition) return targetsSql(condition, entry, locale, aliases, negated)
  const relatedSource = relatedSql(entry, target, place, locale, aliases)
  const isToOneColumn = negated && place.in === 'column'
  const innerSql = conditionSql(condition.some, relatedSource.entry, locale, aliases, isToOneColumn)
  const scope = condition.scope
    ? sql` and ${conditionSql(condition.scope, relatedSource.entry, locale, aliases)}`
    : sql``
  // A missing record must give null: the negation of `exists` would match rows without a record.
  if (isToOneColumn)
    return sql`(select ${innerSql} from ${relatedSource.fromSql} where ${relatedSource.tieSql}${scope})`
  const exactSql = sql`exists (select 1 from ${relatedSource.fromSql} where ${relatedSource.tieSql} and ${innerSql}${scope})`
  const prefilterSql = negated ? undefined : targetPrefilterSql(condition.some, entry, target, place, locale, aliases)
  return prefilterSql ? sql`case when ${prefilterSql} then ${exactSql} else false end` : exactSql
}

/**
 * SQL of whether a link leads to a document with some entry that matches, before the shown entry is checked.
 * These documents are found once per statement. Which entry of a document is shown differs by record, and is
 * looked up only for the remaining rows.
 *
 * @returns The SQL; undefined where the condition is not a
 *   comparison of one column, or the target has no languages.
 */
function targetPrefilterSql(
  condition: Condition,
  { document, documentId, computedSql }: EntryAlias,
  target: Resource,
  linkPosition: LinkPlace,
  locale: Locale,
  aliases: Aliases,
): Sql | undefined {
  const field = 'field' in condition ? target.fields[condition.field] : undefined
  if (!target.localized || !('field' in condition) || !field?.localized) return undefined
  const foundAlias = aliases.next('n')
  const text: EntryAlias = {
    resource: target,
    document: foundAlias,
    text: foundAlias,
    documentId: sql.ref(`${foundAlias}.document_id`),
    language: undefined,
    computedSql,
  }
  const texts = sql`${sql.table(textTable(target))} as ${sql.ref(foundAlias)}`
  const matchingSql = fieldSql(condition, text, locale, false)
  if (linkPosition.in === 'column')
    return sql`${sql.ref(`${document}.${linkPosition.column}`)} in (select ${text.documentId} from ${texts} where ${matchingSql})`
  if (linkPosition.in !== 'table') return undefined
  const link = aliases.next('l')
  const linkedSql = sql`${sql.table(linkPosition.table)} as ${sql.ref(link)} on ${sql.ref(`${link}.${linkPosition.otherColumn}`)} = ${text.documentId}`
  return sql`${documentId} in (select ${sql.ref(`${link}.${linkPosition.ownColumn}`)} from ${texts} join ${linkedSql} where ${matchingSql})`
}

/** SQL of whether the search text of a record, or of its document, matches a pattern. */
function searchMatchSql({ found, in: searchSide }: Extract<Condition, { found: unknown }>, entry: EntryAlias): Sql {
  const column = sql.ref(`${searchSide === 'texts' ? entry.text : entry.document}.${searchColumn}`)
  return joinParts(
    found.map((value) => sql`${column} like ${slotSql(value, 'text')}`),
    'or',
    'false',
  )
}

/** SQL of whether no record links to a file, no text names the file, and it is not the picture of the organisation. */
function unreferencedSql({ resource, documentId }: EntryAlias): Sql {
  const parts = inboundLinks(resource, resources).map((link) => {
    const { table, column } =
      link.storage.in === 'column'
        ? { table: documentTable(link.resource), column: link.storage.column }
        : { table: link.storage.table, column: link.storage.otherColumn }
    const excludeHolders = (holders: string) =>
      sql`not exists (select 1 from ${sql.table(holders)} as held where ${sql.ref(`held.${column}`)} = ${documentId})`
    return link.resource.publishedCopies
      ? sql`${excludeHolders(table)} and ${excludeHolders(publishedTable(table))}`
      : excludeHolders(table)
  })
  if (resource.filesPath !== undefined) {
    for (const mentions of [mentionTable, publishedTable(mentionTable)])
      parts.push(sql`not exists (select 1 from ${sql.table(mentions)} as held where held.file_id = ${documentId})`)
    parts.push(sql`not exists (select 1 from (${pictureSettingsSql}) as held where held.file = ${documentId})`)
  }
  return joinParts(parts, 'and', 'true')
}

/**
 * SQL of whether one of the sources shows a document. Each source is an `exists` of its own: the database
 * decides for each whether to look up links one by one through their index or to read them once.
 */
function shownByHolderSql(
  { shown: sources, mentioned }: Extract<Condition, { shown: unknown }>,
  shownEntry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
): Sql {
  const parts = sources.map(({ resource: name, field, scope }) => {
    const resource = resourceNamed(name)
    const { place } = linkAttribute(resource, field)
    const holder = aliases.entry(resource, 'document')
    const scopeCondition = scope ? sql` and ${conditionSql(scope, holder, locale, aliases)}` : sql``
    if (place.in !== 'table') {
      const tieSql = sql`${sql.ref(`${holder.document}.${columnOf(resource, field)}`)} = ${shownEntry.documentId}`
      return sql`exists (select 1 from ${holder.neededFrom} where ${tieSql}${scopeCondition})`
    }
    const link = aliases.next('l')
    const tieSql = sql`${sql.ref(`${link}.${place.otherColumn}`)} = ${shownEntry.documentId}`
    const links = sql`${sql.table(place.table)} as ${sql.ref(link)}`
    return scope
      ? sql`exists (select 1 from ${links} join ${holder.neededFrom} on ${holder.documentId} = ${sql.ref(`${link}.${place.ownColumn}`)} where ${tieSql}${scopeCondition})`
      : sql`exists (select 1 from ${links} where ${tieSql})`
  })
  if (mentioned.length > 0) parts.push(mentionedBySql(mentioned, shownEntry, locale, aliases))
  return joinParts(parts, 'or', 'false')
}

/**
 * SQL of whether one of the sources names a file. A file that no text names costs one look-up in the index of
 * mentions. PostgreSQL plans each `exists` below an `or` twice, once for each row and once for all rows, and
 * those inside again for each of them. So these are subqueries of one value instead, each planned once.
 */
function mentionedBySql(sources: readonly MentionedBy[], fileEntry: EntryAlias, locale: Locale, aliases: Aliases): Sql {
  const mentionAlias = aliases.next('m')
  const column = (name: string) => sql.ref(`${mentionAlias}.${name}`)
  const parts = sources.map(({ resource: name, fields, localized, scope }) => {
    const resource = resourceNamed(name)
    const namedSql = sql`${column('resource')} = ${sql.lit(documentTable(resource))} and ${column('field')} in (${sql.join(fields.map((field) => sql.lit(field)))})`
    if (!scope) return sql`(${namedSql})`
    const holder = aliases.entry(resource, localized ? 'text' : 'document')
    const scopeCondition = conditionSql(scope, holder, locale, aliases)
    const tieSql = localized
      ? sql`${sql.ref(`${holder.text}.id`)} = ${column('entry_id')}`
      : sql`${holder.documentId} = ${column('document_id')}`
    return sql`(${namedSql} and (select true from ${holder.neededFrom} where ${tieSql} and ${scopeCondition} limit 1))`
  })
  const mentions = sql`${sql.table(mentionTable)} as ${sql.ref(mentionAlias)}`
  return sql`coalesce((select true from ${mentions} where ${column('file_id')} = ${fileEntry.documentId} and ${joinParts(parts, 'or', 'false')} limit 1), false)`
}

/**
 * Splits the filter of a list into conditions, one of which must be true.
 * `_q` searches two tables. An `or` over both could use no index of either,
 * so a statement queries each side and joins the results (decision 14).
 */
export function alternativesOf(readCondition: Condition | undefined): (Condition | undefined)[] {
  const search =
    readCondition && 'all' in readCondition
      ? readCondition.all.find((searchPart) => 'sides' in searchPart)
      : readCondition
  if (!readCondition || !search || !('sides' in search) || !search.indexed || search.sides.length < 2)
    return [readCondition]
  if (!('all' in readCondition)) return search.sides
  return search.sides.map((searchSide) => ({
    all: readCondition.all.map((otherPart) => (otherPart === search ? searchSide : otherPart)),
  }))
}

/**
 * Whether a condition searches for parts of texts: how many rows it leaves is unknown until they are counted.
 */
export function searchesTexts(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(searchesTexts)
  if ('any' in condition) return condition.any.some(searchesTexts)
  if ('field' in condition) return patterns.has(condition.is) || isFolded(condition.is)
  return 'sides' in condition
}

/** Tells whether an index on search keys may serve the condition. */
export function hasKey(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(hasKey)
  if ('any' in condition) return condition.any.every(hasKey)
  return 'field' in condition && condition.key !== undefined
}

/** Returns a condition without search keys, and so without the index on them. */
export function removeKeys(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(removeKeys) }
  if ('any' in condition) return { any: condition.any.map(removeKeys) }
  if (!('field' in condition)) return condition
  const { key: _, ...exactCondition } = condition
  return exactCondition
}

/**
 * SQL of whether a link has (or has another target than) the documents that the ids name, in any language.
 */
function targetsSql(
  { link, targets, value }: Extract<Condition, { targets: unknown }>,
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
  negated: boolean,
): Sql {
  const { target, place } = linkAttribute(entry.resource, link)
  const ids = slotSql(value, 'bigint[]')
  const relatedSource = relatedSql(entry, target, place, locale, aliases, 'documents')
  if (place.in === 'family') {
    const notSql = sql.raw(targets === '$notIn' ? 'not ' : '')
    return sql`exists (select 1 from ${relatedSource.fromSql} where ${relatedSource.tieSql} and ${notSql}(${sql.ref(`${relatedSource.entry.text}.id`)} = any(${ids})))`
  }
  if (place.in === 'column') {
    const column = sql.ref(`${entry.document}.${place.column}`)
    const inListSql = isOneOfSql(column, targets, target, value)
    // Unknown ids give an empty list, and `null in` an empty list is false instead of null.
    return negated || targets === '$notIn' ? sql`case when ${column} is not null then ${inListSql} end` : inListSql
  }
  const targetIdSql = sql.ref(`${relatedSource.entry.document}.id`)
  return sql`exists (select 1 from ${relatedSource.fromSql} where ${relatedSource.tieSql} and ${isOneOfSql(targetIdSql, targets, target, value)})`
}

/** SQL of whether a document is (or is none) of those that wire ids name, in any language. */
function isOneOfSql(documentId: Sql, operator: '$in' | '$notIn', target: Resource, value: SlotIndex): Sql {
  const ids = slotSql(value, 'bigint[]')
  const notSql = sql.raw(operator === '$notIn' ? 'not ' : '')
  return target.localized
    ? sql`${documentId} ${notSql}in (select document_id from ${sql.table(textTable(target))} where id = any(${ids}))`
    : sql`${notSql}${documentId} = any(${ids})`
}

function joinParts(parts: Sql[], joinOperator: 'and' | 'or', emptyText: 'true' | 'false'): Sql {
  if (parts.length === 0) return sql.raw(emptyText)
  return sql`(${sql.join(parts, sql.raw(` ${joinOperator} `))})`
}
