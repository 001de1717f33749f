/**
 * Lists deleted records that can be restored: one line for each document, and for each language deleted
 * alone.
 */
import {
  type Caller,
  type DeletedRecord,
  type Locale,
  type OffsetPagination,
  type PagePagination,
  locales,
  type Resource,
} from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { columnOf, documentTable, textTable } from '../../db/schema.ts'
import { attributeOf, resources, viewOfResource, type View } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { personSql } from '../../domain/conversations/desk.ts'
import { canReturnSql } from '../../resources/mentions.ts'
import { badParameter, QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import type { Pagination } from '../../resources/read/query.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { hasTrash, trashDays } from '../../resources/write/restore.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases, languageOrder } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

const dayMs = 86_400_000

/**
 * SQL of a bounded right over deleted records: the document as it exists, else as its last revision stored
 * it. `undefined` when the right depends on texts: a record that cannot be judged is not shown.
 */
function isRestorableSql(
  resource: Resource,
  view: View,
  context: QueryContext,
  aliases: Aliases,
  language: Locale,
): Sql | undefined {
  const scope = scopeOf(context, resource, view.rows)
  if (!scope) return sql`true`
  const entry = aliases.entry(resource, 'document')
  const condition = conditionSql(scope, entry, language, aliases)
  if (resource.localized && entry.usesText) return undefined
  const name = documentTable(resource)
  const table = sql.table(name)
  const links = Object.keys(resource.fields).filter((field) => columnOf(resource, field) !== field)
  const removedValues = sql`select jsonb_object_agg(
      case when c.key = any(${links}::text[]) then c.key || '_id' else c.key end,
      case when c.key = any(${links}::text[]) then c.value -> 'before' -> 0 else c.value -> 'before' end)
    from jsonb_each(x.changes || jsonb_build_object('id', jsonb_build_object('before', x.document_id))) c`
  return sql`exists (select 1 from (
      select now.* from ${table} as now where now.id = r.document_id
      union all (select was.* from revisions x, jsonb_populate_record(null::${table}, (${removedValues})) as was
        where x.resource = ${name} and x.document_id = r.document_id and x.locale is null and x.operation = 'remove'
          and not exists (select 1 from ${table} as existing where existing.id = r.document_id) order by x.id desc limit 1)
    ) as ${sql.ref(entry.document)} where ${condition})`
}

/** Tables of records that are restored with a record of another resource. */
const partTables = Object.values(resources)
  .filter(({ restoredWith }) => restoredWith !== undefined)
  .map(documentTable)

/**
 * SQL of the lines of one resource in the trash. A removal is one line, that of the requested record; its
 * parts are counted.
 */
function linesSql(
  resource: Resource,
  view: View,
  readView: View | undefined,
  context: QueryContext,
  aliases: Aliases,
  language: Locale,
) {
  const restorableSql = isRestorableSql(resource, view, context, aliases, language)
  if (!restorableSql) return []
  const name = documentTable(resource)
  const entries = sql.table(resource.localized ? textTable(resource) : name)
  const order = languageOrder(sql`r.locale`, undefined, language)
  const entry = sql`(r.kept ->> 'entry')::int`
  // A wire id is restored from its last delete, and only into a language that is still free. One condition
  // with `or`: two would each read the whole table once there are many removals.
  const takenLanguageSql = resource.localized ? sql` or (e.document_id = r.document_id and e.locale = r.locale)` : sql``
  const returningSql = sql`(r.kept ? 'entry' and ${canReturnSql(resource, sql`r.document_id`)} and not exists (select 1 from ${entries} e where e.id = ${entry}${takenLanguageSql})
    and not exists (select 1 from revisions later where later.resource = ${name} and later.operation = 'remove'
      and later.kept ->> 'entry' = r.kept ->> 'entry' and later.id > r.id))`
  const title = resource.fields[resource.title]
  const isNamed = readView !== undefined && attributeOf(resource, readView, resource.title) !== undefined
  const titleSql = resource.localized && !title?.localized ? sql`r.locale is null` : sql`r.returns`
  const namedSql = isNamed ? sql`r.changes -> ${resource.title}::text -> 'before'` : sql`null::jsonb`
  return [
    // PostgreSQL evaluates `returns` once per revision because of `offset 0`, not once per use.
    sql`select ${sql.lit(resource.wire)} as resource, (array_agg(${entry} order by ${order}) filter (where r.returns))[1] as id,
        (array_agg(${namedSql} order by ${order}) filter (where ${titleSql}))[1] as name,
        max(r.created_at) as at, max(r.user_id) as user_id, max(r.id) as last, r.removal,
        coalesce(array_to_json(array_agg(r.locale order by ${order}) filter (where r.returns and r.locale is not null)), '[]') as locales,
        bool_or(r.locale is null) as whole
      from (select r.*, ${returningSql} as returns from revisions r
        where r.resource = ${name} and r.operation = 'remove' and r.kept is not null
          and r.created_at > now() - ${`${trashDays} days`}::interval and ${restorableSql} offset 0) as r
      group by r.removal, r.document_id
      having bool_or(r.returns) and max(r.id) = (select max(root.id) from revisions root where root.removal = r.removal)`,
  ]
}

/** Returns the name of a deleted record as the delete stored it: in the user's language if it has several. */
function nameOf(storedName: unknown, language: Locale): string | null {
  if (typeof storedName === 'string' || typeof storedName === 'number') return String(storedName)
  if (typeof storedName !== 'object' || storedName === null) return null
  const texts = new Map<string, unknown>(Object.entries(storedName))
  const foundText = [language, ...locales].map((locale) => texts.get(locale)).find((text) => typeof text === 'string')
  return typeof foundText === 'string' ? foundText : null
}

/** Returns the resources whose deleted records the caller may restore, with the rows of each. */
function restorableResources(caller: Caller, requestedName: string | undefined): [Resource, View][] {
  const resourceViews = Object.values(resources).flatMap((resource): [Resource, View][] => {
    const view = hasTrash(resource) ? viewOfResource(resource, caller, 'remove') : undefined
    return view ? [[resource, view]] : []
  })
  if (requestedName === undefined) return resourceViews
  const namedResources = resourceViews.filter(([resource]) => resource.wire === requestedName)
  if (namedResources.length === 0) throw badParameter('resource')
  return namedResources
}

/** Line of the trash with the total number of lines; a trash without lines has one row. */
type TrashRow = { total: number } & (
  | (Omit<DeletedRecord, 'name' | 'until'> & {
      /** Title of the deleted record when it was removed, in one language or in all. */
      name: unknown
    })
  | { resource: null }
)

/**
 * Reads a page of the trash, newest first, in one statement: only records of the last 30 days that `restore`
 * accepts.
 *
 * @throws 400 for a resource without a trash, and for one that the caller may not restore.
 */
export async function readTrash(
  database: Database,
  trashQuery: { caller: Caller; resource: string | undefined; locale: Locale; pagination: Pagination },
): Promise<{ data: DeletedRecord[]; meta: { pagination: PagePagination | OffsetPagination } }> {
  const { caller, locale, pagination } = trashQuery
  const [context, aliases] = [new QueryContext(caller), new Aliases(database)]
  const parts = restorableResources(caller, trashQuery.resource).flatMap(([resource, view]) =>
    linesSql(resource, view, viewOfResource(resource, caller, 'get'), context, aliases, locale),
  )
  const { form, page, pageSize, start, limit, withCount } = pagination
  if (parts.length === 0)
    return { data: [], meta: { pagination: presentPagination(pagination, withCount ? 0 : undefined) } }
  const [size, offset] = form === 'page' ? [pageSize, (page - 1) * pageSize] : [limit, start]
  const rows = await runStatement(
    database,
    context,
    sql<TrashRow>`with lines as materialized (${sql.join(parts, sql` union all `)}),
      page as (select * from lines order by last desc limit ${size}::int offset ${offset}::int)
      select (select count(*)::int from lines) as total, p.resource, p.id, p.name, p.at, ${personSql(sql`p.user_id`)} as by, p.locales, p.whole,
             (select count(distinct (x.resource, x.document_id))::int - 1 from revisions x where x.removal = p.removal)
               + (select count(*)::int from removed_rows w where w.removal = p.removal and w.table_name = any(${partTables}::text[])) as parts
        from (select 1) as one left join page p on true order by p.last desc`,
  )
  const data = rows.flatMap((row): DeletedRecord[] => {
    if (row.resource === null) return []
    const { total: _all, resource, id, name, at, by, locales: languages, whole, parts: partsBelow } = row
    const untilTime = new Date(Date.parse(at) + trashDays * dayMs).toISOString()
    return [
      {
        resource,
        id,
        name: nameOf(name, locale),
        at,
        by,
        until: untilTime,
        locales: languages,
        whole,
        parts: partsBelow,
      },
    ]
  })
  return { data, meta: { pagination: presentPagination(pagination, withCount ? rows[0]?.total : undefined) } }
}
