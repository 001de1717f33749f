import type { RoleType } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, test } from 'vitest'
import { buildAuditLine, buildRegion, buildUser, nextNumber } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface Answer {
  data: { locale: string | null; operation: string; changes: Record<string, { before: unknown; after: unknown }> }[]
  meta: { withheld: boolean }
}
const lastLine = async () =>
  (
    await resourceApp.database.query(sql<{ id: number }>`select max(id) as id from audit where action like 'record.%'`)
  )[0]?.id
const changesOf = async (id: number | undefined, role: RoleType = 'admin') =>
  (await resourceApp.ask('GET', `/audit/${id}/changes`, undefined, role)).body as Answer

describe('GET /api/audit/:id/changes', () => {
  test('lists the changes of an audit line by language, with links by name', async () => {
    const region = await buildRegion(resourceApp.database, { name: 'Aral' })
    const { body } = await resourceApp.ask('POST', '/news', { data: { title: 'First', region } })
    const { id } = (body as { data: { id: number } }).data
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'Second', region: null } })
    expect(await changesOf(await lastLine())).toEqual({
      data: [
        {
          locale: null,
          operation: 'update',
          changes: { region: { before: { id: region, name: 'Aral' }, after: null } },
        },
        { locale: 'en', operation: 'update', changes: { title: { before: 'First', after: 'Second' } } },
      ],
      meta: { withheld: false },
    })
    await resourceApp.ask('DELETE', `/news/${id}`)
    const deletionChanges = await changesOf(await lastLine())
    expect(deletionChanges).toMatchObject({ meta: { withheld: false } })
    expect(deletionChanges.data.map(({ operation }) => operation)).toContain('remove')
  })
  test('returns an empty list for an audit line without changes and 404 for an unknown line', async () => {
    expect(await changesOf(await buildAuditLine(resourceApp.database))).toEqual({ data: [], meta: { withheld: false } })
    expect((await resourceApp.ask('GET', '/audit/999999/changes')).status).toBe(404)
    expect((await resourceApp.ask('GET', '/audit/x/changes')).status).toBe(404)
  })
  test.each<[role: RoleType, status: number]>([
    ['public', 401],
    ['authenticated', 403],
    ['admin', 200],
    ['owner', 200],
  ])('responds to the role %s that requests the changes of an audit line with %i', async (role, status) => {
    const id = await buildAuditLine(resourceApp.database)
    expect((await resourceApp.ask('GET', `/audit/${id}/changes`, undefined, role)).status).toBe(status)
  })
  test('withholds changes of records that the user may not see, although the user sees the audit line', async () => {
    const chiefOwner = await buildUser(resourceApp.database, 'owner', { username: `chief${nextNumber()}` })
    await resourceApp.ask('PUT', `/users/${chiefOwner}`, { phone: '+998 61 222 33 44' }, 'owner')
    const line = await lastLine()
    expect((await resourceApp.ask('GET', `/audit/${line}`)).status).toBe(200)
    for (const role of ['admin', 'super-admin'] as const)
      expect(await changesOf(line, role)).toEqual({ data: [], meta: { withheld: true } })
    const { data } = await changesOf(line, 'owner')
    expect(data).toMatchObject([{ changes: { phone: { before: null, after: '+998 61 222 33 44' } } }])

    const lowerUser = await buildUser(resourceApp.database, 'authenticated', { username: `below${nextNumber()}` })
    await resourceApp.ask('PUT', `/users/${lowerUser}`, { phone: '+998 61 222 33 55' }, 'owner')
    expect((await changesOf(await lastLine())).data).toHaveLength(1)
  })
  test('withholds changes of private records from everybody except their owner', async () => {
    const { body } = await resourceApp.ask('POST', '/list-views', { data: { name: 'Mine', screen: 'news' } }, 'owner')
    expect((body as { data?: unknown }).data).toBeDefined()
    expect(await changesOf(await lastLine())).toEqual({ data: [], meta: { withheld: true } })
    expect((await changesOf(await lastLine(), 'owner')).data).toHaveLength(1)
  })
  test('never returns a password in the changes of an audit line, even to an owner', async () => {
    const lowerUser = await buildUser(resourceApp.database, 'authenticated', { username: `below${nextNumber()}` })
    await resourceApp.ask('PUT', `/users/${lowerUser}`, { password: 'Another-2026', phone: '1' }, 'owner')
    const { data } = await changesOf(await lastLine(), 'owner')
    expect(data.flatMap(({ changes }) => Object.keys(changes))).toEqual(['phone'])
  })
})
