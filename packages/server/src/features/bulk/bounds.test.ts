import { sql } from '../../db/sql.ts'
import { expect, it } from 'vitest'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()

type Role = 'admin' | 'authenticated'
interface Answer {
  data?: { id: number; count: number; changed: number; refused: number }
  error?: { code: string }
}
const start = async (data: object, role: Role) => {
  const { status, body } = await resourceApp.ask('POST', '/bulk', { data }, role)
  const { data: job, error } = body as Answer
  return { status, job, code: error?.code }
}
const readStoredJobs = async () => {
  const [row] = await resourceApp.database.query(sql<{ jobs: number; rows: number }>`
    select (select count(*)::int from bulk_jobs) as jobs, (select count(*)::int from bulk_rows) as rows`)
  return row
}

it('refuses a selection by query below staff, and stores no bulk job', async () => {
  const rowsBefore = await readStoredJobs()
  const action = { kind: 'set', values: { name: 'Other' } }
  const selection = { query: {}, count: 0 }
  for (const resource of ['users', 'tradinposts'])
    expect(
      await start({ resource, action: resource === 'users' ? action : { kind: 'remove' }, selection }, 'authenticated'),
    ).toMatchObject({ status: 403, code: 'access.denied' })
  expect(await readStoredJobs()).toEqual(rowsBefore)
})

it('lets users below staff name the records of a bulk edit by id', async () => {
  const action = { kind: 'set', values: { name: 'Other' } }
  const namedOrder = { resource: 'users', action, selection: { ids: [resourceApp.people.authenticated] } }
  expect(await start(namedOrder, 'authenticated')).toMatchObject({ status: 200, job: { count: 1 } })
})

it('limits bulk jobs per day, with a higher limit for staff', async () => {
  const fillJobs = (user: number | undefined, jobs: number) =>
    resourceApp.database.query(sql`
    insert into bulk_jobs (user_id, resource, action, mode, dry_run, state, created_at)
    select ${user}::int, 'users', '{"kind": "remove"}', 'each', true, 'finished', now() - interval '23 hours'
      from generate_series(1, ${jobs}::int)`)
  await resourceApp.database.query(sql`delete from bulk_jobs`)
  await fillJobs(resourceApp.people.authenticated, 30)
  await fillJobs(resourceApp.people.admin, 30)
  const namedOrder = {
    resource: 'users',
    action: { kind: 'set', values: { name: 'Another' } },
    selection: { ids: [resourceApp.people.authenticated] },
  }
  const { app, tokens } = resourceApp
  const headers = { authorization: `Bearer ${tokens.authenticated}` }
  const refusedAnswer = await app.inject({ method: 'POST', url: '/api/bulk', headers, payload: { data: namedOrder } })
  expect([refusedAnswer.statusCode, refusedAnswer.json<Answer>().error?.code]).toEqual([429, 'request.too-many-writes'])
  const wait = Number(refusedAnswer.headers['retry-after'])
  expect([wait > 3_500, wait <= 3_600]).toEqual([true, true])
  expect((await start(namedOrder, 'admin')).status).toBe(200)
  await resourceApp.database.query(sql`update bulk_jobs set created_at = now() - interval '25 hours'`)
  expect((await start(namedOrder, 'authenticated')).status).toBe(200)
})
