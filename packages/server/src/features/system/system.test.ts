import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SystemState } from '@dala/model'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sql, type Template } from '../../db/sql.ts'
import { buildRecord, buildUser } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { readSettings } from '../../settings.ts'
import type { MailTransport } from '../mail/mail-transport.ts'
import { Mailer } from '../mail/mailer.ts'
import { DailyMeasurement } from './daily-measurement.ts'
import { measureFolder, reuseSizes } from './folder-size.ts'
import { type SystemParts, systemReader } from './read-state.ts'
import { findWarnings } from './warnings.ts'

const secret = 'hidden-secret-of-the-store'
const resourceApp = startResourceApp(async () => {}, {
  SMTP_URL: `smtp://mailer:${secret}@mail.planted.example`,
  MAIL_FROM: 'planted-sender@planted.example',
  OWNER_EMAIL: 'planted-owner@planted.example',
})
const run = (template: Template<unknown>) => resourceApp.database.query(template)
const stateOf = async () => {
  const { status, body } = await resourceApp.ask('GET', '/system', undefined, 'owner')
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { data: SystemState }).data
}
const codesOf = ({ warnings }: Pick<SystemState, 'warnings'>) => warnings.map(({ code }) => code)
const partsWith = (change: Partial<SystemParts> = {}): SystemParts => ({
  database: resourceApp.database,
  settings: { ...readSettings({}), dataDir: tmpdir() },
  sizeOf: async () => ({ bytes: 1, partial: false }),
  readDiskLatency: () => null,
  log: resourceApp.app.log,
  ...change,
})
const queueOf = ({ queues }: SystemState, kind: string) =>
  queues.state === 'answered' ? queues.kinds.find((queue) => queue.kind === kind) : undefined

beforeEach(async () => {
  for (const table of ['mails', 'system_days', 'report_files', 'report_checks', 'bulk_jobs', 'backups'])
    await run(sql`delete from ${sql.table(table)}`)
})

describe('GET /api/system', () => {
  it.each(['super-admin', 'admin', 'authenticated'] as const)('refuses the role %s', async (role) => {
    for (const path of ['/system', '/system/diagnosis'])
      expect((await resourceApp.ask('GET', path, undefined, role)).status).toBe(403)
  })

  it('refuses a caller without a token', async () => {
    for (const path of ['/system', '/system/diagnosis'])
      expect((await resourceApp.ask('GET', path, undefined, 'public')).status).toBe(401)
  })

  it('answers an owner with each part, and with the schema of the program', async () => {
    const state = await stateOf()
    const names = ['version', 'database', 'disk', 'memory', 'queues', 'letters', 'recount', 'backups'] as const
    expect(names.filter((name) => state[name].state !== 'answered')).toEqual([])
    const { version, database, memory } = state
    if (version.state !== 'answered' || database.state !== 'answered' || memory.state !== 'answered')
      throw new Error('a part has not answered')
    expect(version.schema.applied).toBe(version.schema.known)
    expect(version.online).toBeGreaterThan(0)
    expect(database.kind).toBe(resourceApp.database.kind)
    expect(database.bytes).toBeGreaterThan(1_000_000)
    expect(database.week_bytes).toBeNull()
    expect(memory.resident).toBeGreaterThan(memory.heap / 2)
  })

  it('lists slow statements by their shape, in the diagnosis too, without their parameters', async () => {
    await run(sql`select pg_sleep(0.6), ${'planted parameter'}::text as slow`)
    const shape = { text: 'select pg_sleep(?), $1::text as slow', count: 1, cancelled: 0 }
    const { database } = await stateOf()
    const listed = expect.arrayContaining([expect.objectContaining(shape)]) as unknown
    expect(database).toMatchObject({ slow: { limit_ms: 500, statements: listed } })
    const { body } = await resourceApp.ask('GET', '/system/diagnosis', undefined, 'owner')
    expect(body).toMatchObject({ data: { state: { database: { slow: { statements: listed } } } } })
    expect(JSON.stringify(body)).not.toContain('planted')
  })

  it('shows the growth of the database since the measurement of a week ago', async () => {
    await run(sql`
      insert into system_days (day, database_bytes, free_bytes, measured_at)
      values (current_date - 8, 1000, 5000, now() - interval '8 days')`)
    const { database } = await stateOf()
    if (database.state !== 'answered') throw new Error('the database has not answered')
    expect(database.week_bytes).toBe(database.bytes - 1_000)
  })
})

describe('parts that fail', () => {
  it('leaves the others when one part fails, with the time of its last answer', async () => {
    let isFailing = false
    const read = systemReader(
      partsWith({
        sizeOf: async () => {
          if (isFailing) throw new Error('no disk')
          return { bytes: 7, partial: false }
        },
      }),
    )
    const former = await read()
    expect(former.disk).toMatchObject({ state: 'answered', uploads: { bytes: 7 } })
    isFailing = true
    const state = await read()
    expect(state.disk).toEqual({ state: 'unanswered', since: expect.stringMatching(/Z$/) as string })
    expect([state.version.state, state.letters.state, state.queues.state]).toEqual(Array(3).fill('answered'))
  })

  it('ends the wait for a part that does not answer', async () => {
    const read = systemReader(partsWith({ limitMs: 50, sizeOf: () => Promise.withResolvers<never>().promise }))
    expect((await read()).disk.state).toBe('unanswered')
  })
})

describe('background work', () => {
  it('counts failed and stuck work, and warns about both', async () => {
    const user = resourceApp.people['owner'] ?? 0
    await run(sql`
      insert into bulk_jobs (user_id, resource, action, mode, state, created_at, started_at)
      values (${user}, 'tags', '{}', 'each', 'running', now(), now() - interval '2 hours'),
             (${user}, 'tags', '{}', 'each', 'failed', now(), now()),
             (${user}, 'tags', '{}', 'each', 'failed', now() - interval '3 days', now())`)
    const state = await stateOf()
    expect(queueOf(state, 'bulk')).toMatchObject({ running: 1, failed: 1, stuck: 1, waiting: 0 })
    expect(codesOf(state)).toEqual(['queue.failed', 'queue.stuck'])
    expect(state.warnings[0]?.params).toEqual({ queue: 'bulk', count: 1 })
  })
})

describe('letters', () => {
  const addLetter = () =>
    run(sql`
      insert into mails (recipient, locale, template, payload)
      values ('planted-reader@planted.example', 'en', 'passwordChanged', '{"name": "Planted Name", "at": "2026-03-01T10:00:00Z"}')`)

  it('warns about letters with a failed attempt, with the code of the mail server and not its text', async () => {
    await addLetter()
    expect(codesOf(await stateOf())).toEqual([])
    const refusal = Object.assign(new Error('535 no such planted-reader@planted.example'), {
      code: 'EAUTH',
      responseCode: 535,
    })
    const settings = {
      publicUrl: 'http://x',
      smtpUrl: undefined,
      mailFrom: 'a@b.example',
      dataDir: tmpdir(),
      inviteHours: 1,
    }
    const mailer = new Mailer(resourceApp.database, settings, { sent: () => {}, failed: () => {} }, () =>
      Promise.reject(refusal),
    )
    await mailer.deliver()
    const { letters, warnings } = await stateOf()
    expect(letters).toMatchObject({ waiting: 1, tried: 1, failure: 'EAUTH 535' })
    expect(warnings).toMatchObject([{ code: 'letters.waiting', params: { count: 1, answer: 'EAUTH 535' } }])
  })
})

describe('POST /api/system/test-letter', () => {
  const send = (role: 'owner' | 'super-admin' | 'public' = 'owner') =>
    resourceApp.ask('POST', '/system/test-letter', undefined, role)
  const deliver = (post: MailTransport) => {
    const settings = {
      publicUrl: 'http://x',
      smtpUrl: undefined,
      mailFrom: 'a@b.example',
      dataDir: tmpdir(),
      inviteHours: 1,
    }
    return new Mailer(resourceApp.database, settings, { sent: () => {}, failed: () => {} }, post).deliver()
  }
  const testOf = async () => {
    const { letters } = await stateOf()
    return letters.state === 'answered' ? letters.test : undefined
  }
  beforeEach(() => run(sql`delete from throttles where key like 'test-letter:%'`))

  it('sends one letter to the own address of the owner, and shows that it was sent', async () => {
    expect(await testOf()).toBeNull()
    expect((await send()).status).toBe(200)
    expect(await testOf()).toMatchObject({ state: 'waiting', failure: null })
    const recipients: string[] = []
    const subjects: string[] = []
    await deliver(async (recipient, { subject }) => {
      recipients.push(recipient)
      subjects.push(subject)
      return undefined
    })
    expect([recipients, subjects]).toEqual([['owner@example.org'], [expect.stringContaining('Пробное письмо')]])
    expect(await testOf()).toMatchObject({ state: 'sent', failure: null })
    const lines = await resourceApp.database.query(sql<{ user: number }>`
      select user_id as user from audit where action = 'letter.test'`)
    expect(lines).toEqual([{ user: resourceApp.people['owner'] }])
  })

  it('shows the code of a failure, and replaces a letter that has not left', async () => {
    await send()
    await deliver(() => Promise.reject(Object.assign(new Error('no'), { code: 'EAUTH', responseCode: 535 })))
    expect(await testOf()).toMatchObject({ state: 'failed', failure: 'EAUTH 535' })
    await send()
    expect(await testOf()).toMatchObject({ state: 'waiting', failure: null })
    const rows = await resourceApp.database.query(sql`select id from mails where template = 'test'`)
    expect(rows).toHaveLength(1)
  })

  it('refuses the sixth letter of an hour, everybody but owners, and callers without a token', async () => {
    const statuses: number[] = []
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await send()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await send('super-admin')).status).toBe(403)
    expect((await send('public')).status).toBe(401)
  })
})

describe('the nightly recount', () => {
  it('warns about differences of the latest recount only', async () => {
    await run(sql`insert into report_checks (days, differences, checked_at) values (30, '[{}, {}]', now())`)
    expect((await stateOf()).warnings).toMatchObject([{ code: 'recount.differs', params: { count: 2 } }])
    await run(
      sql`insert into report_checks (days, differences, checked_at) values (30, '[]', now() + interval '1 second')`,
    )
    const { recount, warnings } = await stateOf()
    expect(recount).toMatchObject({ last: { days: 30, differences: 0 } })
    expect(warnings).toEqual([])
  })
})

describe('the proof of backups', () => {
  const addBackup = (kind: string, daysAgo: number, state: string, proof: string, rows: number | null = null) =>
    run(sql`
      insert into backups (name, kind, state, taken_at, proof, proved_rows, proved_at)
      values (${`${kind}-${daysAgo}`}, ${kind}, ${state}, now() - make_interval(days => ${daysAgo}::int), ${proof},
              ${rows}::bigint, case when ${rows}::bigint is not null then now() end)`)

  it('warns when no backup was proved for eight days, counted from the last proved one', async () => {
    await addBackup('daily', 9, 'complete', 'proved', 5)
    await addBackup('manual', 1, 'complete', 'none')
    const { backups, warnings } = await stateOf()
    expect(backups).toMatchObject({ state: 'answered', days: 9, failure: null })
    expect(warnings).toMatchObject([
      { code: 'backup.unproved', params: { count: 9 }, since: expect.stringMatching(/Z$/) as string, action: 'copies' },
    ])
  })

  it('counts from the first day of an installation that never proved a backup', async () => {
    expect(codesOf(await stateOf())).toEqual([])
    await run(sql`
      insert into system_days (day, database_bytes, free_bytes, measured_at)
      values (current_date - 8, 1, 1, now() - interval '8 days 1 hour')`)
    expect((await stateOf()).warnings).toMatchObject([{ code: 'backup.unproved', params: { count: 8 }, since: null }])
  })

  it('counts a backup that is being proved again as proved', async () => {
    await addBackup('daily', 2, 'complete', 'running', 5)
    expect((await stateOf()).backups).toMatchObject({ days: 2 })
  })

  it('warns of the newest scheduled backup when it or its proof failed, until a later one is complete', async () => {
    await addBackup('daily', 4, 'complete', 'proved', 5)
    await addBackup('weekly', 3, 'failed', 'none')
    expect(codesOf(await stateOf())).toEqual(['backup.failed'])
    await addBackup('daily', 2, 'complete', 'failed')
    expect(codesOf(await stateOf())).toEqual(['backup.proof-failed'])
    await addBackup('monthly', 1, 'complete', 'proved', 5)
    await addBackup('manual', 0, 'failed', 'none')
    expect(codesOf(await stateOf())).toEqual([])
  })
})

describe('the disk', () => {
  it('stores one measurement a day and deletes those of more than 400 days ago', async () => {
    await run(sql`insert into system_days (day, database_bytes, free_bytes) values (current_date - 500, 1, 1)`)
    const measurement = new DailyMeasurement(resourceApp.database, tmpdir())
    await measurement.measure()
    await measurement.measure()
    const rows = await resourceApp.database.query(sql<{ bytes: number }>`
      select database_bytes::float8 as bytes from system_days`)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.bytes).toBeGreaterThan(1_000_000)
  })

  it('computes from the daily measurements when the disk is full', async () => {
    const { disk: former } = await systemReader(partsWith())()
    if (former.state !== 'answered') throw new Error('no disk')
    expect([former.daily_bytes, former.full_in_days]).toEqual([null, null])
    const daily = Math.ceil(former.free / 20)
    await run(sql`
      insert into system_days (day, database_bytes, free_bytes, measured_at)
      select current_date - g, 1, ${former.free}::bigint + g * ${daily}::bigint, now() - make_interval(days => g) from generate_series(0, 5) as g`)
    const state = await systemReader(partsWith())()
    if (state.disk.state !== 'answered') throw new Error('no disk')
    expect(state.disk.daily_bytes).toBe(daily)
    expect(Math.abs((state.disk.full_in_days ?? 0) - 20)).toBeLessThanOrEqual(1)
  })

  it('counts a file once that several backups share', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dala-sizes-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'monday'))
    await mkdir(join(folder, 'tuesday'))
    await writeFile(join(folder, 'monday', 'picture'), 'four')
    await link(join(folder, 'monday', 'picture'), join(folder, 'tuesday', 'picture'))
    await writeFile(join(folder, 'tuesday', 'other'), 'more')
    expect(await measureFolder(folder)).toEqual({ bytes: 8, partial: false })
  })

  it('adds up at most a number of files, and reuses the sum', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dala-sizes-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'inner'))
    for (const name of ['a', 'b', 'inner/c']) await writeFile(join(folder, name), 'four')
    expect(await measureFolder(folder)).toEqual({ bytes: 12, partial: false })
    expect(await measureFolder(folder, 2)).toEqual({ bytes: 8, partial: true })
    expect(await measureFolder(join(folder, 'missing'))).toEqual({ bytes: 0, partial: false })
    const sizeOf = reuseSizes()
    await sizeOf(folder)
    await writeFile(join(folder, 'later'), 'more')
    expect((await sizeOf(folder)).bytes).toBe(12)
  })
})

describe('findWarnings', () => {
  const answered = { state: 'answered' } as const
  const silentParts = { state: 'unanswered', since: '2026-03-01T10:00:00.000Z' } as const
  const unanswered = {
    version: silentParts,
    database: silentParts,
    disk: silentParts,
    memory: silentParts,
    queues: silentParts,
    letters: silentParts,
    recount: silentParts,
    backups: silentParts,
  }
  const gigabyte = 1_024 ** 3
  const disk = {
    ...answered,
    uploads: null,
    backups: null,
    database: null,
    write_ms: null,
    daily_bytes: null,
    full_in_days: null,
  }
  const database = {
    ...answered,
    kind: 'server' as const,
    version: '18',
    bytes: 1,
    week_bytes: null,
    connections: null,
    answer_ms: 1,
    slow: { limit_ms: 500, statements: [] },
  }
  const proofs = { ...answered, proved_at: null, days: 0, failure: null }
  const version = { ...answered, program: '1', node: '24', started_at: silentParts.since, online: 0 }

  it.each<[string, Partial<Parameters<typeof findWarnings>[0]>, string[]]>([
    ['no part that answered', {}, []],
    [
      'a disk with less than a twentieth free',
      { disk: { ...disk, total: 100 * gigabyte, free: 4 * gigabyte } },
      ['disk.low'],
    ],
    ['a disk with enough free', { disk: { ...disk, total: 100 * gigabyte, free: 40 * gigabyte } }, []],
    [
      'a disk that is full in 60 days',
      { disk: { ...disk, total: 100 * gigabyte, free: 40 * gigabyte, daily_bytes: 9, full_in_days: 60 } },
      ['disk.fills'],
    ],
    [
      'a disk that is full in 61 days',
      { disk: { ...disk, total: 100 * gigabyte, free: 40 * gigabyte, daily_bytes: 9, full_in_days: 61 } },
      [],
    ],
    [
      'a disk that takes 301 ms to store a small write',
      { disk: { ...disk, total: 100 * gigabyte, free: 40 * gigabyte, write_ms: 301 } },
      ['disk.slow'],
    ],
    [
      'a full disk that takes 300 ms to store a small write',
      { disk: { ...disk, total: 100 * gigabyte, free: 0, write_ms: 300 } },
      ['disk.low'],
    ],
    ['clocks that are apart', { database: { ...database, clock_ms: -2_001 } }, ['clock.apart']],
    ['clocks that agree', { database: { ...database, clock_ms: 2_000 } }, []],
    ['eight days without a proved backup', { backups: { ...proofs, days: 8 } }, ['backup.unproved']],
    ['seven days without a proved backup', { backups: { ...proofs, days: 7 } }, []],
    ['an installation that was not measured yet', { backups: { ...proofs, days: null } }, []],
    [
      'a scheduled backup that failed',
      { backups: { ...proofs, failure: { at: silentParts.since, step: 'backup' } } },
      ['backup.failed'],
    ],
    [
      'a scheduled backup whose proof failed',
      { backups: { ...proofs, days: 9, failure: { at: silentParts.since, step: 'proof' } } },
      ['backup.unproved', 'backup.proof-failed'],
    ],
    ['a schema that is behind', { version: { ...version, schema: { applied: 58, known: 59 } } }, ['schema.behind']],
  ])('judges %s', (_case, parts, codes) => {
    expect(findWarnings({ ...unanswered, ...parts }).map(({ code }) => code)).toEqual(codes)
  })
})

describe('GET /api/system/diagnosis', () => {
  it('contains no name, address, text, telephone number or secret, and leaves an audit line', async () => {
    const markers = ['planted', secret, 'mailer', '998901112233', 'Aysholpan', tmpdir()]
    await buildUser(resourceApp.database, 'authenticated', {
      username: 'planted-user',
      email: 'planted-user@planted.example',
      name: 'Aysholpan',
      phone_number: '998901112233',
    })
    await buildRecord(resourceApp.database, 'consultations', { question: 'planted question of Aysholpan' })
    await run(sql`
      insert into mails (recipient, locale, template, payload, failure)
      values ('planted-reader@planted.example', 'en', 'passwordChanged', '{"name": "Aysholpan"}', 'EAUTH 535')`)
    const { status, body } = await resourceApp.ask('GET', '/system/diagnosis', undefined, 'owner')
    expect(status).toBe(200)
    const text = JSON.stringify(body)
    expect(markers.filter((marker) => text.includes(marker))).toEqual([])
    expect(body).toMatchObject({
      data: { settings: { SMTP_URL: true, DATABASE_URL: false }, state: { letters: { failure: 'EAUTH 535' } } },
    })
    const lines = await resourceApp.database.query(sql<{ user: number; details: object }>`
      select user_id as user, details from audit where action = 'export' order by id desc limit 1`)
    expect(lines).toEqual([
      { user: resourceApp.people['owner'], details: { route: '/api/system/diagnosis', format: 'json' } },
    ])
  })
})
