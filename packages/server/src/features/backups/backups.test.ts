import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Backup, BackupSchedule } from '@dala/model/api/backups'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../db/sql.ts'
import { workerUrl } from '../../testing/backup-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { runAlone } from './alone.ts'

// A proof restores a whole database, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 600_000 })

const folder = join(mkdtempSync(join(tmpdir(), 'dala-backups-')), 'copies')
const testApp = startResourceApp(async () => {}, {
  BACKUP_FOLDER: folder,
  BACKUP_AT: '03:00',
  UPLOAD_RESERVE_MB: '0',
  DATABASE_URL: workerUrl(),
})
beforeEach(() => testApp.database.query(sql`delete from backups`))

const waitUntil = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 250_000, interval: 50 })

interface List {
  data: Backup[]
  meta: BackupSchedule
}
const list = async () => (await testApp.ask('GET', '/system/backups', undefined, 'owner')).body as List
const firstProof = async () => (await list()).data[0]?.proof.state
const actions = async () =>
  (
    await testApp.database.query(
      sql<{ action: string; entry: number }>`select action, entry from audit where action like 'backup.%' order by id`,
    )
  ).map(({ action, entry }) => [action, entry])

describe('/api/system/backups', () => {
  test('lists nothing before the first backup, and the next time of the schedule', async () => {
    const { data, meta } = await list()
    expect(data).toEqual([])
    expect(meta).toMatchObject({ last_proved: null, kept: { daily: 7, weekly: 4, monthly: 12 }, places: ['folder'] })
    expect(Date.parse(meta.next_at ?? '')).toBeGreaterThan(Date.now())
  })

  test('takes a backup for an owner, proves it, and writes it into the audit', async () => {
    const { status, body } = await testApp.ask('POST', '/system/backups', undefined, 'owner')
    const { data } = body as { data: Backup }
    expect([status, data.kind, data.state]).toEqual([200, 'manual', 'running'])
    await waitUntil(async () => expect(await firstProof()).toBe('proved'))
    const { data: backups, meta } = await list()
    expect(backups).toMatchObject([{ id: data.id, state: 'complete', places: ['folder'], encrypted: false }])
    expect(meta.last_proved).toMatchObject({ id: data.id, rows: backups[0]?.proof.rows })
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^dala-/)])
    // The lock is free soon after the proof has ended.
    await waitUntil(async () =>
      expect((await testApp.ask('POST', `/system/backups/${data.id}/proof`, undefined, 'owner')).status).toBe(200),
    )
    await waitUntil(async () => expect(await firstProof()).toBe('proved'))
    expect(await actions()).toEqual([
      ['backup.take', data.id],
      ['backup.prove', data.id],
    ])
  })

  test.each(['super-admin', 'admin', 'authenticated', 'public'] as const)('refuses %s', async (role) => {
    const refusal = role === 'public' ? 401 : 403
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/1/proof'],
    ] as const)
      expect((await testApp.ask(method, `/system/backups${path}`, undefined, role)).status).toBe(refusal)
  })

  test('refuses a second backup or proof while one runs', async () => {
    await runAlone(testApp.database, async () => {
      for (const path of ['', '/1/proof']) {
        const { status, body } = await testApp.ask('POST', `/system/backups${path}`, undefined, 'owner')
        expect([status, body]).toMatchObject([409, { error: { code: 'backup.busy' } }])
      }
    })
  })

  test('refuses the proof of an unknown backup, and of one that failed', async () => {
    expect((await testApp.ask('POST', '/system/backups/999999/proof', undefined, 'owner')).status).toBe(404)
    const [row] = await testApp.database.query(sql<{ id: number }>`
      insert into backups (name, kind, state, taken_at) values ('dala-x', 'daily', 'failed', now()) returning id`)
    const { status, body } = await testApp.ask('POST', `/system/backups/${row?.id}/proof`, undefined, 'owner')
    expect([status, body]).toMatchObject([409, { error: { code: 'backup.incomplete' } }])
  })
})
