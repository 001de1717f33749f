/**
 * Runs statements of features within the rows of a caller, so that they use the access table and never repeat
 * it (contract §14).
 */
import type { Caller, Resource } from '@dala/model'
import { plannedTemplate, sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import type { View } from '../attributes.ts'
import { conditionSql } from './compile-condition.ts'
import { QueryContext } from './context.ts'
import { parseFilters, parseSearch, scopeOf } from './parse-filters.ts'
import { readPublishedVersion, readAsSeenBy } from './published.ts'
import { Slot } from './slots.ts'
import { Aliases, entriesFrom } from './sql-entry.ts'

export interface ScopedParts {
  /** SQL of the tables of the resource that a feature reads. */
  from: Template<unknown>
  /** SQL condition of the resource's rows that the caller may see and that match the filters. */
  where: Template<unknown>
  /** Alias of the resource's document table within `from`. */
  document: string
  /** SQL of the keys of another resource's documents that the caller may see. */
  keysOf: (keyedResource: Resource, view: View) => Template<unknown>
}

interface Scope {
  resource: Resource
  caller: Caller
  view: View
  /**
   * Conditions `filters` and `_q` of a feature's query (contract §6). Throws 400 for filters that are not
   * allowed.
   */
  query?: Readonly<Record<string, unknown>>
  /** Whether values of the condition influence the plan of the statement (`Statement.mustReplan`). */
  mustReplan?: true
  /** Whether the statement reads drafts of courses as they would be published. */
  preview?: true
}

/**
 * Runs a statement within the rows that a caller may see.
 *
 * @param runner - The database or a transaction.
 * @param scope - The resource, the caller and the filters.
 * @param statement - Makes the statement; the type of its rows is that of the result.
 * @returns Its rows, by the names of their columns.
 * @throws 400 for filters that the caller may not use.
 */
export async function runScopedQuery<Row>(
  runner: Pick<Queries, 'query' | 'parts'>,
  { resource, caller, view, query = {}, mustReplan, preview }: Scope,
  statement: (scopedParts: ScopedParts) => Template<Row>,
): Promise<Row[]> {
  const [aliases, context] = [new Aliases(runner), new QueryContext(caller)]
  const entry = aliases.entry(resource)
  const conditions = [
    ...(query.filters === undefined ? [] : [parseFilters(query.filters, resource, view, context)]),
    ...(query._q === undefined || query._q === '' ? [] : [parseSearch(query._q, resource, view, context)]),
  ]
  const scope = scopeOf(context, resource, view.rows)
  const fullCondition = { all: scope ? [...conditions, scope] : conditions }
  const whereSql = conditionSql(fullCondition, entry, caller.language, aliases)
  const keysOf = (otherResource: Resource, { rows }: View) => {
    const otherEntry = aliases.entry(otherResource)
    const otherScope = conditionSql(
      scopeOf(context, otherResource, rows) ?? { all: [] },
      otherEntry,
      caller.language,
      aliases,
    )
    return sql`select ${sql.ref(`${otherEntry.document}.id`)} from ${entriesFrom(otherEntry)} where ${otherScope}`
  }
  const fromSql = entriesFrom(entry)
  const wholeStatement = statement({ from: fromSql, where: whereSql, document: entry.document, keysOf })
  return runStatement(runner, context, wholeStatement, {
    ...(mustReplan && { mustReplan }),
    ...(preview && { preview }),
  })
}

/**
 * Runs a statement that contains conditions of queries.
 *
 * @param runner - The database or a transaction.
 * @param reader - The caller, who may read published copies, and the values of the slots of its conditions.
 * @param statement - The statement, with the type of its rows.
 * @param options - Whether the values influence the plan, and whether drafts are read as they would be
 *   published.
 * @returns Its rows, by the names of their columns.
 */
export function runStatement<Row>(
  runner: Pick<Queries, 'query' | 'parts'>,
  { caller, values }: Pick<QueryContext, 'caller' | 'values'>,
  statement: Template<Row>,
  { mustReplan, preview }: Pick<Scope, 'mustReplan' | 'preview'> = {},
): Promise<Row[]> {
  const planning = mustReplan ? { mustReplan } : { isRecurring: true }
  const seenStatement = preview ? readPublishedVersion(statement, 'preview') : readAsSeenBy(caller, statement)
  return runner.query(
    plannedTemplate(seenStatement, planning, (item) => (item instanceof Slot ? values[item.index] : item)),
  )
}
