import { describe, expect, it } from 'vitest'
import { compileTemplate, sql } from '../../db/sql.ts'
import { type PlanNode, readPlan } from '../../testing/query-plan.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { overdueCasesSql } from './overdue-sweep.ts'

const resourceApp = startResourceApp()
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

describe('the search for overdue questions', () => {
  it('reads the index of waiting questions, not all questions', async () => {
    const plan = await resourceApp.database.transaction(async (trx) => {
      // The tables of a test are empty, and an empty table is read without an index.
      await trx.query(sql`set local enable_seqscan = off`)
      return readPlan(trx, compileTemplate(overdueCasesSql))
    })
    const reads = nodesOf(plan).filter((node) => node['Relation Name'] === 'consultations')
    expect(reads.map((node) => node['Index Name'])).toEqual(['consultations_waiting_idx'])
  })
})
