import type { RoleType } from '@dala/model'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startResourceApp } from '../../testing/resource-app.ts'
import { Housekeeping } from './housekeeping.ts'

const here = startResourceApp(async (started) => {
  await started.ask('POST', '/tags', { data: { name: 'Cotton' } })
})
interface List {
  data: { id: number; action: string; user: { id: number; username: string } | null; resource: string | null }[]
  meta: { pagination: Record<string, number> }
}
const list = async (query = '', role: RoleType = 'admin') =>
  (await here.ask('GET', `/audit${query}`, undefined, role)).body as List

describe('the audit (contract §14)', () => {
  test.each<[role: RoleType, status: number]>([
    ['public', 401],
    ['authenticated', 403],
    ['admin', 200],
    ['super-admin', 200],
    ['owner', 200],
  ])('is shown to %s: %i', async (role, status) => {
    expect((await here.ask('GET', '/audit', undefined, role)).status).toBe(status)
  })
  test('is newest first, in pages, and says who', async () => {
    const { data, meta } = await list('?pagination[pageSize]=2&pagination[page]=1')
    expect(data).toHaveLength(2)
    expect(data[0]?.id).toBeGreaterThan(data[1]?.id ?? 0)
    expect(meta.pagination).toMatchObject({ page: 1, pageSize: 2 })
    expect(meta.pagination.pageCount).toBe(Math.ceil((meta.pagination.total ?? 0) / 2))
    const { data: made } = await list('?filters[action]=record.create&filters[resource]=tags')
    expect(made).toMatchObject([
      { user: { id: here.people.admin, username: 'admin' }, resource: 'tags', address: '127.0.0.1' },
    ])
    expect((await list(`?filters[user][$eq]=${here.people.owner}`)).data).toMatchObject([{ action: 'sign-in' }])
    expect((await list('?pagination[start]=0&pagination[limit]=1')).meta.pagination).toMatchObject({
      start: 0,
      limit: 1,
    })
  })
  test.each(['filters[details]=x', 'filters[user]=x', 'filters[user]=99999999999', 'filters=x', 'pagination[page]=x'])(
    '%s is refused',
    async (query) => {
      expect((await here.ask('GET', `/audit?${query}`)).status).toBe(400)
    },
  )
  test('is kept for its time', async () => {
    await here.database.query(
      sql`update audit set created_at = now() - interval '366 days' where action = 'record.create'`,
    )
    await here.database.query(sql`
      insert into reset_codes values (repeat('a', 64), ${here.people.admin}, now() - interval '1 hour')`)
    await new Housekeeping(here.database, 365).clear()
    expect((await list('?filters[action]=record.create')).data).toEqual([])
    expect((await list('?filters[action]=sign-in')).data).not.toEqual([])
    expect(await here.database.query(sql`select 1 from reset_codes`)).toEqual([])
  })
})
