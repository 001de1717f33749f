import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestDatabase, openTestDatabase } from '../../testing/databases.ts'
import { startObjectStore } from '../../testing/object-store.ts'
import { runInTest } from '../../testing/terminal.ts'
import { examine } from './doctor.ts'
import { clockFinding, proofFinding, versionFinding } from './database-checks.ts'
import { formatAge, formatBytes, type NamedFinding, ok, runChecks } from './finding.ts'
import { spaceFinding } from './folder-checks.ts'
import { nodeFinding } from './program-checks.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dala-doctor-'))
const server = process.env.TEST_DATABASE_URL
/** Settings of a folder without a database, for checks of other things. */
const withoutData = { DATA_DIR: mkdtempSync(join(tmpdir(), 'dala-doctor-empty-')) }
let environment: Record<string, string | undefined>

/** Servers of a test that greet each connection with a line, or say nothing. */
const openedServers: Server[] = []
async function listen(greeting = ''): Promise<number> {
  const openedServer = createServer((socket) => {
    socket.on('error', () => {})
    if (greeting !== '') socket.end(greeting)
  }).listen(0, '127.0.0.1')
  openedServers.push(openedServer)
  await once(openedServer, 'listening')
  return (openedServer.address() as AddressInfo).port
}

beforeAll(async () => {
  const databaseUrl = server && (await createTestDatabase(server, `doctor_${process.env.VITEST_POOL_ID ?? '0'}`))
  environment = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SEED: 'none', PORT: '0' }
})
afterAll(() => {
  for (const openedServer of openedServers) openedServer.close()
})

/** Milliseconds of a check in tests: a busy machine takes long to open a database. */
const testLimit = 50_000

/** Runs the checks and returns their findings by name, and the printed lines. */
async function findAll(changes: Record<string, string> = {}) {
  const lines: string[] = []
  const input = { environment: { ...environment, ...changes }, printLine: (line: string) => void lines.push(line) }
  const { document: findings, hasFailed } = await examine(input, testLimit)
  return {
    findings,
    hasFailed,
    output: `${lines.join('\n')}\n`,
    of: (name: string) => findings.find(({ check }) => check === name),
  }
}

const names =
  'settings node panel folder space copies server database version extension schema proof clock mail bucket port'.split(
    ' ',
  )

describe('dala doctor', () => {
  test('examines an installation before its first start, and creates nothing', async () => {
    const missingFolder = join(dataDir, 'later', 'data')
    const { findings, of } = await findAll({ DATA_DIR: missingFolder })
    expect(findings.map(({ check }) => check)).toEqual(names)
    expect(of('folder')?.message).toContain('does not exist yet, and can be created')
    expect(of('database')).toMatchObject({ state: 'ok' })
    expect(of('schema')).toMatchObject({ state: 'ok' })
    expect(existsSync(missingFolder)).toBe(false)
  })

  test('finds a migrated database in order, with one sentence for each check', async () => {
    await runInTest(environment, 'migrate')
    const { findings, of } = await findAll()
    for (const name of [
      'settings',
      'node',
      'folder',
      'server',
      'database',
      'version',
      'extension',
      'schema',
      'proof',
      'clock',
    ])
      expect(of(name)).toEqual({ check: name, state: 'ok', message: expect.stringMatching(/\.$/) as string })
    expect(of('schema')?.message).toMatch(/^The schema is that of the program, \d{4}-/)
    for (const { state, ...texts } of findings) expect('advice' in texts).toBe(state !== 'ok')
    expect(readdirSync(dataDir)).not.toContain('lock')
  })

  test('prints each finding with its advice, and counts them', async () => {
    const { output } = await findAll()
    expect(output).toMatch(/^warning {2}copies: There is no backup or hourly copy in .*\.\n {9}Run dala backup/m)
    expect(output).toMatch(/^Checks: 16; warnings: \d+; failures: \d+\n$/m)
  })

  test('warns of a copy that is older than a week', async () => {
    const backups = join(dataDir, 'backups')
    mkdirSync(join(backups, 'monday'), { recursive: true })
    writeFileSync(join(backups, 'monday', 'manifest.json'), '{}')
    writeFileSync(join(backups, 'monday', 'database.dump'), 'x'.repeat(2_000))
    expect((await findAll()).of('copies')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/is 0 minutes old and has 2\.0 KiB: .*monday/) as string,
    })
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000)
    utimesSync(join(backups, 'monday', 'manifest.json'), eightDaysAgo, eightDaysAgo)
    expect((await findAll()).of('copies')).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('8 days old') as string,
    })
  })

  test('warns when no backup was proved for eight days, and of a scheduled one that failed', async () => {
    const opened = await openTestDatabase()
    const { query } = opened.database
    try {
      await query(sql`delete from backups`)
      await query(sql`
        insert into backups (name, kind, state, taken_at, proof, proved_rows, proved_at)
        values ('old', 'daily', 'complete', now() - interval '8 days 1 hour', 'proved', 5, now())`)
      expect(await proofFinding(opened.database)).toMatchObject({
        state: 'warning',
        message: 'No backup was proved for 8 days.',
      })
      await query(sql`insert into backups (name, kind, state, taken_at) values ('new', 'daily', 'failed', now())`)
      expect(await proofFinding(opened.database)).toMatchObject({
        state: 'warning',
        message: expect.stringMatching(/^The last scheduled backup, of .*Z, failed\.$/) as string,
      })
    } finally {
      await query(sql`delete from backups`)
      await opened.close()
    }
  })

  test('names a wrong setting, and still examines the program', async () => {
    const { code, readDocument } = await runInTest({ ...environment, PORT: 'x' }, 'doctor', '--json')
    const findings = readDocument<NamedFinding[]>()
    expect(code).toBe(1)
    expect(findings.map(({ check, state }) => [check, state])).toEqual([
      ['settings', 'failure'],
      ['node', 'ok'],
      ['panel', expect.any(String)],
    ])
    expect(findings[0]?.message).toBe('The setting PORT must be a port number from 0 to 65535.')
  })

  test('fails without a database server, and shows no password', async () => {
    const { hasFailed, of, output } = await findAll({
      DATABASE_URL: 'postgresql://me:secret-Word@127.0.0.1:1/x',
      SMTP_URL: 'smtp://me:secret-Word@127.0.0.1:1',
    })
    expect(hasFailed).toBe(true)
    expect(of('database')).toMatchObject({
      state: 'failure',
      message: expect.stringContaining('ECONNREFUSED') as string,
    })
    expect(of('schema')).toMatchObject({ state: 'warning' })
    expect(of('mail')).toMatchObject({ state: 'failure', message: expect.stringContaining('ESOCKET') as string })
    expect(output).not.toContain('secret-Word')
  })

  test('tells a port of another program, and a mail server that greets from one that refuses', async () => {
    const port = await listen('554 no\r\n')
    const { of } = await findAll({ ...withoutData, PORT: String(port), SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect(of('port')).toMatchObject({
      state: 'failure',
      message: `The port 127.0.0.1:${port} is used by another program.`,
    })
    expect(of('mail')).toMatchObject({ state: 'failure' })
  })

  test('greets a mail server and sends no letter', async () => {
    const commands: string[] = []
    const mailServer = createServer((socket) => {
      socket.write('220 mail ready\r\n')
      socket.on('data', (line: Buffer) => {
        commands.push(line.toString().split(/\s/)[0] ?? '')
        socket.write('250 ok\r\n')
      })
    }).listen(0, '127.0.0.1')
    openedServers.push(mailServer)
    await once(mailServer, 'listening')
    const { port } = mailServer.address() as AddressInfo
    expect((await findAll({ ...withoutData, SMTP_URL: `smtp://127.0.0.1:${port}` })).of('mail')).toMatchObject({
      state: 'ok',
    })
    expect(commands[0]).toBe('EHLO')
    expect(commands).not.toContain('MAIL')
  })

  test('ends the wait for a mail server that says nothing', async () => {
    const port = await listen()
    expect((await findAll({ ...withoutData, SMTP_URL: `smtp://127.0.0.1:${port}` })).of('mail')).toMatchObject({
      state: 'failure',
      message: expect.stringContaining('ETIMEDOUT') as string,
    })
  })

  test('lists the bucket, and fails for one that does not exist', async () => {
    const { settings, close } = await startObjectStore()
    const storeEnvironment = {
      ...withoutData,
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    }
    try {
      expect((await findAll(storeEnvironment)).of('bucket')).toMatchObject({ state: 'ok' })
      expect((await findAll({ ...storeEnvironment, S3_BUCKET: 'another' })).of('bucket')).toMatchObject({
        state: 'failure',
        message: expect.stringContaining('NoSuchBucket') as string,
      })
    } finally {
      await close()
    }
  })
})

describe('findings', () => {
  test.each([
    [300, 2_000, 'ok'],
    [1, 4, 'ok'],
    [0.9, 4, 'warning'],
    [40, 1_000, 'warning'],
    [0.1, 4, 'failure'],
  ])('judges %d GiB of %d free as %s', (free, total, state) => {
    expect(spaceFinding(free * 1_024 ** 3, total * 1_024 ** 3).state).toBe(state)
  })

  test.each([
    ['24.21.0', '24.21.0', 'ok'],
    ['24.20.0', '24.21.0', 'warning'],
    ['22.1.0', '24.21.0', 'failure'],
    ['24.21.0', undefined, 'warning'],
  ])('judges Node %s where %s is pinned as %s', (running, pinned, state) => {
    expect(nodeFinding(running, pinned).state).toBe(state)
  })

  test('judges clocks by their difference, and names its direction', () => {
    expect(clockFinding(1_900).state).toBe('ok')
    expect(clockFinding(-61_000)).toMatchObject({
      state: 'warning',
      message: 'The clock of the database is 61.0 seconds behind that of the program.',
    })
    expect(clockFinding(3_000).message).toContain('ahead of')
  })

  test('names a PostgreSQL server that is too old', async () => {
    const message = 'The database of DATABASE_URL cannot be used: PostgreSQL 15 or newer is needed.'
    expect(await versionFinding({ kind: 'unusable', message })).toMatchObject({ state: 'failure' })
  })

  test('counts a check that does not end, and one that throws, as failures', async () => {
    const findings = await runChecks(
      [
        { name: 'endless', run: () => new Promise(() => {}) },
        { name: 'broken', run: () => Promise.reject(new Error('a secret')) },
        { name: 'good', run: () => ok('Good.') },
      ],
      20,
    )
    expect(findings.map(({ check, state }) => `${check}: ${state}`)).toEqual([
      'endless: failure',
      'broken: failure',
      'good: ok',
    ])
    expect(JSON.stringify(findings)).not.toContain('a secret')
  })

  test('formats sizes and ages', () => {
    expect([0, 1_023, 1_536, 5 * 1_024 ** 3].map(formatBytes)).toEqual(['0 bytes', '1023 bytes', '1.5 KiB', '5.0 GiB'])
    expect([119, 120, 2_879, 2_880].map((minutes) => formatAge(minutes * 60_000))).toEqual([
      '119 minutes',
      '2 hours',
      '47 hours',
      '2 days',
    ])
  })
})
