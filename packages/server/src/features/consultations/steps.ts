/**
 * Reads the steps of a consultation: who assigned, finished and reopened it, with notes and reasons (chat
 * §4).
 */
import { type ConsultationStepLine, fault, rankOfRole } from '@dala/model'
import { momentSql } from '../../db/moment-sql.ts'
import { sql } from '../../db/sql.ts'
import { personSql } from '../../domain/conversations/desk.ts'
import { belongsToDesk } from '../../domain/delivery/sockets.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { EnteredCall, FeatureRoutes } from '../../resources/feature-routes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'

/** Maximum number of steps in an answer; the earliest ones are left out. */
const maxSteps = 200

interface StepRow {
  asker: number | null
  line: ConsultationStepLine | null
}

/**
 * Lists the steps of a consultation, newest first: one statement.
 *
 * @returns The steps with the people that they name.
 * @throws 404 for a consultation that the caller may not see, 403 for its customer and for users outside of
 *   the desk.
 */
export async function stepsOf(
  { database }: FeatureRoutes,
  { caller, view }: EnteredCall,
  id: number,
): Promise<ConsultationStepLine[]> {
  const resource = resourceNamed('consultations')
  const foundSteps = await runScopedQuery(database, { resource, caller, view }, ({ from, where, document }) => {
    const columnRef = (column: string) => sql.ref(`${document}.${column}`)
    return sql<StepRow>`
      select ${columnRef('user_id')} as asker, step.line
        from ${from} left join lateral (
          select s.id, json_build_object('at', ${momentSql(sql`s.created_at`)}, 'user', ${personSql(sql`s.user_id`)},
                   'action', s.action, 'from', ${personSql(sql`s.from_user_id`)}, 'to', ${personSql(sql`s.to_user_id`)},
                   'note', s.note) as line
            from consultation_steps s where s.consultation_id = ${columnRef('id')} order by s.id desc limit ${sql.lit(maxSteps)}
        ) step on true
       where ${columnRef('id')} = ${id} and ${where} order by step.id desc`
  })
  const [firstStep] = foundSteps
  if (!firstStep) throw fault('record.not-found')
  // Notes are for the desk: a consultant who has asked the question themselves reads none of them.
  const isCustomer = firstStep.asker === caller.id && rankOfRole(caller.role) < rankOfRole('admin')
  if (isCustomer || !belongsToDesk(caller)) throw fault('access.denied')
  return foundSteps.flatMap(({ line }) => line ?? [])
}
