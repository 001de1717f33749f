/**
 * Reads the changes of an audit line: before and after, as far as the caller may see the record (checklist
 * §10).
 */
import { type Caller, decideAccess, fault, isLocale, type LineChange, type Locale, type Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { resources, viewOfResource } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { type Changes, historyFields, resolveChanges } from '../../resources/history/revision-changes.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases, entriesFrom } from '../../resources/read/sql-entry.ts'

interface Answer {
  data: LineChange[]
  /** Whether some changes of the audit line are hidden from the caller. */
  meta: { withheld: boolean }
}

type LineRow = Pick<LineChange, 'operation'> & { locale: string | null; changes: Changes }

/**
 * Reads the changes of a line. Every administrator sees the line itself, but its changes only for records and
 * fields that they may read. Hidden changes are marked as withheld. A refusal would add an audit line of its
 * own, and an empty answer would be untrue. A caller with a bounded right sees no changes of a deleted
 * record, because its scope can no longer be checked.
 *
 * @param database - The database.
 * @param request - The id of the line, the caller and the language of names.
 * @returns The changes, and whether some are withheld.
 * @throws 404 for an unknown line.
 */
export async function readLineChanges(
  database: Database,
  { id, caller, locale }: { id: number; caller: Caller; locale: Locale },
): Promise<Answer> {
  const [line] = await database.query(sql<{ resource: string | null; ids: number[] }>`
    select resource, revision_ids as ids from audit where id = ${id}::int`)
  if (!line) throw fault('record.not-found')
  if (line.ids.length === 0) return { data: [], meta: { withheld: false } }
  const resource = line.resource === null ? undefined : resources[line.resource]
  const view = resource && viewOfResource(resource, caller, 'get')
  if (!resource || !view) return { data: [], meta: { withheld: true } }

  const context = new QueryContext(caller)
  const fields = historyFields(resource, caller, view)
  const rows = await runStatement(
    database,
    context,
    sql<LineRow>`select r.locale, r.operation,
        (select jsonb_object_agg(key, value) from jsonb_each(r.changes) where key = any(${fields}::text[])) as changes
      from revisions r
     where r.id = any(${line.ids}::int[]) and jsonb_exists_any(r.changes, ${fields}::text[])
       and ${reachableRowsSql(resource, context, new Aliases(database), locale)} order by r.id`,
  )
  const lineChanges = rows.map(({ changes }) => changes)
  const resolvedChanges = await resolveChanges(database, context, resource, lineChanges, locale)
  const data = rows.map(({ locale: language, operation }, index): LineChange => ({
    locale: isLocale(language) ? language : null,
    operation,
    changes: resolvedChanges(lineChanges[index] ?? {}),
  }))
  return { data, meta: { withheld: data.length < line.ids.length } }
}

/**
 * SQL of whether the document of a revision `r` is within the caller's right; removed accounts still count as
 * authors.
 */
function reachableRowsSql(
  resource: Resource,
  context: QueryContext,
  aliases: Aliases,
  locale: Locale,
): Template<unknown> {
  const grant = decideAccess(resource.access, 'get', context.caller)
  const scope = typeof grant === 'object' ? scopeOf(context, resource, grant.rows) : undefined
  if (!scope) return sql`true`
  const entry = aliases.entry(resource)
  const condition = conditionSql(scope, entry, locale, aliases)
  return sql`exists (select 1 from ${entriesFrom(entry)} where ${sql.ref(`${entry.document}.id`)} = r.document_id and ${condition})`
}
