/** Routes of routing: who would get a question, and why a case went to somebody. */
import { type Caller, fault, type Issue, rankOfRole, unprocessableFault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import { textTable } from '../../db/schema.ts'
import { tryRoute } from '../../domain/conversations/routing.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { enterFeature, type FeatureRoutes } from '../../resources/feature-routes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { idOf } from '../../resources/routes.ts'
import { presentTrial, readDecisions } from './decisions.ts'

const isStaff = ({ role }: Caller) => rankOfRole(role) >= rankOfRole('admin')

/** Finds the documents of the records that a question is about; a record that does not exist is refused. */
async function documentsOf(
  { database }: FeatureRoutes,
  wantedSkills: { category: number | null; region: number | null },
): Promise<{ category: number | null; region: number | null }> {
  const documentSql = (resource: string, id: number | null) =>
    sql`(select document_id from ${sql.table(textTable(resourceNamed(resource)))} where id = ${id}::int)`
  const [skillRow] = await database.query(sql<{ category: number | null; region: number | null }>`
    select ${documentSql('consultationcategories', wantedSkills.category)} as category, ${documentSql('regions', wantedSkills.region)} as region`)
  const { category = null, region = null } = skillRow ?? {}
  const issues = (['category', 'region'] as const)
    .filter((field) => wantedSkills[field] !== null && (field === 'category' ? category : region) === null)
    .map((field): Issue => ({ path: [field], code: 'validation.relation', params: { field } }))
  if (issues.length > 0) throw unprocessableFault(issues)
  return { category, region }
}

/** Registers the routes of routing. */
export function registerRouting(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes

  /** Reads the decisions about a case that the caller may read; its customer reads none. */
  const decisionsOf = async (request: FastifyRequest, name: 'chatrooms' | 'consultations') => {
    const resource = resourceNamed(name)
    const { caller, view } = await enterFeature(routes, resource, 'get', request)
    const id = idOf(request)
    const asker = name === 'chatrooms' ? 'sender_id' : 'user_id'
    const [askerRow] = await runScopedQuery(
      database,
      { resource, caller, view },
      ({ from, where, document }) => sql<{ asker: number | null }>`
        select ${sql.ref(`${document}.${asker}`)} as asker from ${from} where ${sql.ref(`${document}.id`)} = ${id} and ${where}`,
    )
    if (!askerRow) throw fault('record.not-found')
    if (askerRow.asker === caller.id || (!caller.isConsultant && !isStaff(caller))) throw fault('access.denied')
    return { data: await readDecisions(database, caller, name === 'chatrooms' ? 'room_id' : 'consultation_id', id) }
  }

  addRoutes(app, async () => (await import('@dala/model/api/routing')).routingRoutes, {
    'POST /api/routing/try': async ({ request, body }) => {
      const { caller } = await enterFeature(routes, resourceNamed('routingrules'), 'list', request)
      const { category, region, language, at } = (await body()).data
      const documents = await documentsOf(routes, { category: category ?? null, region: region ?? null })
      const time = typeof at === 'string' ? Date.parse(at) : undefined
      const route = await tryRoute(database, { ...documents, language: language ?? null }, time)
      return { data: await presentTrial(database, caller, route) }
    },
    'GET /api/chatrooms/:id/routing': ({ request }) => decisionsOf(request, 'chatrooms'),
    'GET /api/consultations/:id/routing': ({ request }) => decisionsOf(request, 'consultations'),
  })
}
