/** Counts the home page groups that are a part of a list, all of them in one statement. */
import { type Caller, type HomeGroupKey, homeGroups } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { parseFilters, scopeOf } from '../../resources/read/parse-filters.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases, type EntryAlias } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

export interface GroupTally {
  count: number
  /** Number of records of a home page group past their target; null for records without a target. */
  late: number | null
  /** Earliest time since which a record of the home page group waits. */
  oldest: string | null
  /** Earliest target that has passed, among the records of the home page group. */
  due: string | null
}

const emptyTally: GroupTally = { count: 0, late: null, oldest: null, due: null }

/** SQL of the time since which a record of a home page group waits, and of its target, by resource. */
const waitingTimes: Readonly<Record<string, (entry: EntryAlias) => { since: Sql; due?: Sql }>> = {
  chatrooms: ({ document }) => ({ since: sql.ref(`${document}.waiting_since`), due: sql.ref(`${document}.due_at`) }),
  consultations: ({ document }) => ({
    since: sql.ref(`${document}.waiting_since`),
    due: sql.ref(`${document}.due_at`),
  }),
  tradinposts: ({ document }) => ({ since: sql.ref(`${document}.waiting_since`) }),
}

/** SQL of the count of one home page group; undefined for a caller who may not list its records. */
function tallySql(key: HomeGroupKey, context: QueryContext, aliases: Aliases): Sql | undefined {
  const { list } = homeGroups[key]
  if (!list) return undefined
  const resource = resourceNamed(list.resource)
  const view = viewOfResource(resource, context.caller, 'list')
  const clock = waitingTimes[resource.name]
  if (!view || !clock) return undefined
  const entry = aliases.entry(resource, 'document')
  const scope = scopeOf(context, resource, view.rows)
  const filters = parseFilters(list.filters(context.caller.id), resource, view, context)
  const whereSql = conditionSql({ all: scope ? [filters, scope] : [filters] }, entry, context.caller.language, aliases)
  const { since, due } = clock(entry)
  const lateCountSql = due && sql`${due} <= now()`
  const count = entry.usesText ? sql`count(distinct ${sql.ref(`${entry.document}.id`)})` : sql`count(*)`
  return sql`select ${sql.lit(key)}::text as key, ${count}::int as count,
      ${lateCountSql ? sql`(count(*) filter (where ${lateCountSql}))::int` : sql`null::int`} as late, min(${since}) as oldest,
      ${lateCountSql && due ? sql`min(${due}) filter (where ${lateCountSql})` : sql`null::timestamptz`} as due
    from ${entry.neededFrom} where ${whereSql}`
}

type TallyRow = GroupTally & { key: string }

/**
 * Counts groups of the home page within the rows of a caller.
 *
 * @param database - The database.
 * @param caller - The user.
 * @param keys - The groups; those that are not a part of a list are left out.
 * @returns The number of each by its key.
 */
export async function tallyGroups(
  database: Database,
  caller: Caller,
  keys: readonly HomeGroupKey[],
): Promise<(key: HomeGroupKey) => GroupTally> {
  const [context, aliases] = [new QueryContext(caller), new Aliases(database)]
  const parts = keys.flatMap((key) => tallySql(key, context, aliases) ?? [])
  const rows =
    parts.length > 0 ? await runStatement(database, context, sql<TallyRow>`${sql.join(parts, sql` union all `)}`) : []
  const tallies = new Map(rows.map(({ key, ...tally }): [string, GroupTally] => [key, tally]))
  return (key) => tallies.get(key) ?? emptyTally
}
