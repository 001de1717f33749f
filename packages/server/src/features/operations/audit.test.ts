import { auditActions, type RoleType } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, test } from 'vitest'
import { skipTriggers } from '../../testing/databases.ts'
import { buildAuditLine } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { checkChain } from './audit-check.ts'
import { HousekeepingJob } from './housekeeping.ts'

const resourceApp = startResourceApp(async (startedApp) => {
  await startedApp.ask('POST', '/tags', { data: { name: 'Cotton' } })
})
interface List {
  data: { id: number; attributes: { action: string; user: { data: { id: number } | null }; resource: string | null } }[]
  meta: { pagination: Record<string, number> }
}
const list = async (query = '', role: RoleType = 'admin') =>
  (await resourceApp.ask('GET', `/audit?sort=createdAt:desc&populate=user&${query}`, undefined, role)).body as List

describe('GET /api/audit (contract §14)', () => {
  test.each<[role: RoleType, status: number]>([
    ['public', 401],
    ['authenticated', 403],
    ['admin', 200],
    ['super-admin', 200],
    ['owner', 200],
  ])('responds to the role %s that requests the audit with %i', async (role, status) => {
    expect((await resourceApp.ask('GET', '/audit', undefined, role)).status).toBe(status)
  })
  test('sorts, pages, filters and searches audit lines and names their authors', async () => {
    const { data, meta } = await list('pagination[pageSize]=2&pagination[page]=1')
    expect(data).toHaveLength(2)
    expect(data[0]?.id).toBeGreaterThan(data[1]?.id ?? 0)
    expect(meta.pagination).toMatchObject({ page: 1, pageSize: 2 })
    const { data: creations } = await list('filters[action]=record.create&filters[resource]=tags')
    expect(creations).toMatchObject([
      {
        attributes: {
          user: { data: { id: resourceApp.people.admin, attributes: { username: 'admin' } } },
          resource: 'tags',
          address: '127.0.0.1',
        },
      },
    ])
    expect((await list(`filters[user]=${resourceApp.people.owner}`)).data).toMatchObject([
      { attributes: { action: 'sign-in' } },
    ])
    await buildAuditLine(resourceApp.database, { requestId: 'wanted-request' })
    expect((await list('_q=wanted-req')).data).toHaveLength(1)
  })
  test('counts an audit line that was written a moment ago', async () => {
    const totalBefore = (await list()).meta.pagination.total ?? 0
    await buildAuditLine(resourceApp.database)
    expect((await list()).meta.pagination.total).toBe(totalBefore + 1)
  })
  test('accepts every action as a filter of the audit', async () => {
    for (const action of auditActions) await buildAuditLine(resourceApp.database, { action })
    expect((await list('filters[action]=two-step.reset')).data).toHaveLength(1)
  })
  test.each(['filters[details][$gt]=x', 'filters[user]=x', 'filters=x', 'filters[revision_ids]=1'])(
    'refuses the query %s for audit lines',
    async (query) => {
      expect((await resourceApp.ask('GET', `/audit?${query}`)).status).toBe(400)
    },
  )
  test('has no history, no trash and no search by name for audit lines', async () => {
    const [line] = (await list()).data
    for (const path of [`/audit/${line?.id}/history`, `/audit/${line?.id}/uses`])
      expect((await resourceApp.ask('GET', path, undefined, 'owner')).status).toBe(404)
    expect((await resourceApp.ask('POST', `/audit/${line?.id}/restore`, {}, 'owner')).status).toBe(404)
    const bulkOrder = { resource: 'audit', action: { kind: 'remove' }, selection: { ids: [line?.id] } }
    expect((await resourceApp.ask('POST', '/bulk', { data: bulkOrder }, 'owner')).status).toBe(403)
    const { data } = await resourceApp.read<{ data: { resource: string }[] }>('/search?q=sign-in')
    expect(data.filter(({ resource }) => resource === 'audit')).toEqual([])
  })
  test('exports audit lines like any list', async () => {
    const file = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/export',
      headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
      payload: {
        data: {
          resource: 'audit',
          format: 'csv',
          columns: ['action', 'user', 'address'],
          language: 'ru',
          timeZone: 'Asia/Tashkent',
          query: { filters: { action: 'record.create', resource: 'tags' } },
        },
      },
    })
    expect([file.statusCode, file.body]).toEqual([200, expect.stringContaining('Создание записи;admin;127.0.0.1')])
  })
  test('deletes audit lines after the retention time and keeps the rest of the chain valid', async () => {
    await skipTriggers(
      resourceApp.database,
      sql`update audit set created_at = now() - interval '366 days' where action = 'record.create' and id < 20`,
    )
    await resourceApp.database.query(sql`
      insert into reset_codes values (repeat('a', 64), ${resourceApp.people.admin}, now() - interval '1 hour')`)
    await skipTriggers(
      resourceApp.database,
      sql`update audit set created_at = now() - interval '366 days' where id < 4`,
    )
    await new HousekeepingJob(resourceApp.database, 365).clear()
    const { checked, anchor, faultSentence: brokenSentence, waiting } = await checkChain(resourceApp.database)
    expect({ broken: brokenSentence, waiting, anchor: anchor.seal }).toEqual({
      broken: undefined,
      waiting: 0,
      anchor: 3,
    })
    expect((await list()).meta.pagination.total).toBe(checked)
    expect((await list('filters[action]=sign-in')).data).not.toEqual([])
    expect(await resourceApp.database.query(sql`select 1 from reset_codes`)).toEqual([])
  })
})
