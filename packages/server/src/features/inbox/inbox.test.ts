import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { notifyUsers } from '../../domain/delivery/notices.ts'
import { openTestApp } from '../../testing/app.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { HousekeepingJob } from '../operations/housekeeping.ts'

const resourceApp = startResourceApp()
const params = { name: 'Mine', by: 'Somebody' }
const notifySharedView = (...users: number[]) =>
  resourceApp.database.transaction((trx) =>
    notifyUsers(trx, { users, kind: 'view.shared', params, address: '/news?view=1' }),
  )
const inbox = () =>
  resourceApp.read<{ data: { id: number; readAt: string | null }[]; meta: { unread: number } }>('/notices')

describe('the inbox', () => {
  it('lists the caller’s own notices, newest first, and marks them as read', async () => {
    const { admin = 0, owner = 0 } = resourceApp.people
    await notifySharedView(admin, owner)
    await notifySharedView(admin)
    const { data, meta } = await inbox()
    expect(data).toMatchObject([
      { kind: 'view.shared', params, address: '/news?view=1', readAt: null },
      { readAt: null },
    ])
    expect(meta).toMatchObject({ unread: 2 })
    expect((await resourceApp.ask('POST', '/notices/read', { data: { ids: [data[0]?.id] } }, 'owner')).status).toBe(200)
    expect((await inbox()).meta.unread).toBe(2)
    await resourceApp.ask('POST', '/notices/read', { data: { ids: [data[0]?.id] } })
    expect((await inbox()).meta.unread).toBe(1)
    await resourceApp.ask('POST', '/notices/read', { data: { all: true } })
    expect((await inbox()).meta.unread).toBe(0)
    expect((await resourceApp.ask('GET', '/notices', undefined, 'owner')).body).toMatchObject({ meta: { unread: 1 } })
  })

  it('refuses to mark notices with an empty body or without a session', async () => {
    for (const data of [{}, { ids: [] }, { ids: ['x'] }])
      expect((await resourceApp.ask('POST', '/notices/read', { data })).status).toBe(422)
    expect((await resourceApp.ask('GET', '/notices', undefined, 'public')).status).toBe(401)
  })

  it('shows administrators the progress of the demo content while it is being added', async () => {
    let progress: { done: number; parts: number } | undefined = { done: 62, parts: 334 }
    const { app } = await openTestApp({ database: resourceApp.database, demoProgress: () => progress })
    const progressOf = async (role: 'admin' | 'authenticated') => {
      const headers = { authorization: `Bearer ${resourceApp.tokens[role]}` }
      return (await app.inject({ url: '/api/notices', headers })).json<{ meta: { demo?: unknown } }>().meta.demo
    }
    expect(await progressOf('admin')).toEqual({ done: 62, parts: 334 })
    expect(await progressOf('authenticated')).toBeUndefined()
    progress = undefined
    expect(await progressOf('admin')).toBeUndefined()
    await app.close()
  })

  it('stores a notice once for its key, also when two instances add it at the same time', async () => {
    await resourceApp.database.query(sql`delete from notices`)
    const { admin = 0, owner = 0 } = resourceApp.people
    const add = (users: number[], key: string) =>
      resourceApp.database.transaction((trx) =>
        notifyUsers(trx, { users, kind: 'view.shared', params, address: '/news?view=1', key }),
      )
    await Promise.all([add([admin, owner], '1'), add([owner, admin], '1'), add([admin], '1'), add([admin], '2')])
    expect((await inbox()).meta.unread).toBe(2)
    expect((await resourceApp.ask('GET', '/notices', undefined, 'owner')).body).toMatchObject({ meta: { unread: 1 } })
  })

  it('deletes notices after 90 days', async () => {
    await resourceApp.database.query(sql`update notices set created_at = now() - interval '91 days'`)
    await notifySharedView(resourceApp.people.admin ?? 0)
    await new HousekeepingJob(resourceApp.database, 365).clear()
    expect((await inbox()).data).toHaveLength(1)
  })
})
