/** Rules of absences and of the rules of routing. */
import { fault, type Issue, maxRoutingRules } from '@dala/model'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/database.ts'
import { answeringFields, assertAnswers } from '../domain/conversations/desk.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'

/** Key of the advisory lock under which rules are counted. */
const rulesLock = 4_711_009

/**
 * Refuses one rule more than the maximum; concurrent writes count one after the other.
 *
 * @throws 422
 */
async function assertSpace(trx: Transaction): Promise<void> {
  await trx.query(sql`select pg_advisory_xact_lock(${sql.lit(rulesLock)})`)
  const [row] = await trx.query(sql<{ count: number }>`select count(*)::int as count from routingrules`)
  if ((row?.count ?? 0) >= maxRoutingRules) throw fault('routing.too-many', { params: { max: maxRoutingRules } })
}

/** A rule for a person names one, and a named person answers customers. */
export const routingRuleBehaviour: Behaviour = {
  targetColumns: { person: answeringFields },
  async settleValues({ operation, isTrusted, values, valuesBefore, target, trx }) {
    if (operation === 'remove' || isTrusted) return
    if (operation === 'create') await assertSpace(trx)
    const { action, person } = { ...valuesBefore, ...values }
    if (action === 'person' && typeof person !== 'number') {
      const params = { field: 'person' }
      const issue: Issue = { path: ['person'], code: 'routing.person-missing', params }
      throw fault('routing.person-missing', { params, issues: [issue] })
    }
    if (typeof person === 'number' && person !== valuesBefore?.person)
      await assertAnswers(trx, target('person'), 'person')
  },
}

/** An absence is one of a person who answers customers. */
export const absenceBehaviour: Behaviour = {
  targetColumns: { user: answeringFields },
  async settleValues({ operation, isTrusted, values, valuesBefore, target, trx }) {
    if (operation === 'remove' || isTrusted || values.user === undefined || values.user === valuesBefore?.user) return
    await assertAnswers(trx, target('user'), 'user')
  },
}
