/** Runs a statement and reads the plan by which PostgreSQL has answered it. */
import type { Queries } from '../db/database.ts'
import type { Statement } from '../db/driver.ts'

/** One node of a query plan of PostgreSQL, with the rows that it has processed in each loop. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

/**
 * Runs a statement for its plan.
 *
 * @param runner - The database or a transaction.
 * @param statement - The statement with its values.
 * @returns The root of the plan.
 * @throws When the database returns no plan.
 */
export async function readPlan(runner: Pick<Queries, 'rows'>, { sql, parameters }: Statement): Promise<PlanNode> {
  const [row] = await runner.rows({ sql: `explain (analyze, timing off, format json) ${sql}`, parameters })
  const [root] = (row?.[0] ?? []) as { Plan: PlanNode }[]
  if (!root) throw new Error('The statement has no plan')
  return root.Plan
}
