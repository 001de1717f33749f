/**
 * Proof that a jump of the clock harms nobody. The clock of a server goes an hour forward and back again and again
 * while visitors read and write: sessions and sockets stay, a throttle is not longer than it says, and a
 * scheduled backup is taken once. With the embedded database its clock jumps too; a PostgreSQL server has its own.
 * The program faketime (Debian package libfaketime) moves the clock; without it the proof is skipped.
 * `node scripts/proofs/operations/clock-jumps.ts --jumps 3`
 */
import { existsSync, globSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries, startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { option } from '../../lib/filled-database.ts'
import { ownerEmail, type RunningServer, signIn, startServer, temporaryFolder } from '../../lib/server-process.ts'
import { ClientSocket } from '../../simulate/client-socket.ts'
import { printFailures, SteadyLoad } from './steady-load.ts'

const visitors = 1
const hour = 3_600
/** Minutes from the start to the scheduled backup: a jump of an hour passes over it. */
const backupAfter = 30
/** Milliseconds between two jumps: longer than the server waits between two looks at its schedules. */
const between = 70_000
const throttle = { failures: 3, seconds: 120 }
/** Seconds by which a clock may be ahead before its throttles end at once. */
const tolerance = 60

interface Outcome {
  harmless: boolean
  skipped: boolean
}

const findLibrary = (): string | undefined =>
  globSync('/usr/lib/{*/faketime,faketime}/libfaketimeMT.so.1').find((file) => existsSync(file))

/** Sets the clock of a program that reads the file at each look at its clock. */
function setClock(file: string, seconds: number): void {
  writeFileSync(`${file}.new`, `+${seconds}\n`)
  renameSync(`${file}.new`, file)
}

/** Signs in with a wrong password until it is refused; returns the seconds that the refusal names. */
async function failToSignIn(url: string): Promise<number> {
  for (let attempt = 0; attempt <= throttle.failures + 1; attempt += 1) {
    const answer = await fetch(`${url}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'nobody@example.org', password: 'Not-the-password-1' }),
    })
    await answer.arrayBuffer()
    if (answer.status === 429) return Number(answer.headers.get('retry-after'))
  }
  return 0
}

const isUsable = async (url: string, token: string) => {
  const answer = await fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.ok
}

/** Number of backups by the schedule, of all states. */
async function countBackups(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/system/backups`, { headers: { authorization: `Bearer ${token}` } })
  return ((await answer.json()) as { data: unknown[] }).data.length
}

/** Moves the clock of a server and judges what became of its sessions, throttles and schedules. */
async function jump(name: string, server: RunningServer, clockFile: string, jumps: number): Promise<boolean> {
  const { url } = server
  const tokens = [await signIn(url, ownerEmail)]
  const [firstToken = ''] = tokens
  const socket = new ClientSocket({ url, token: firstToken })
  socket.open()
  const load = await SteadyLoad.start(url, visitors)
  let endedSessions = 0
  let longestThrottle = 0
  for (let turn = 0; turn < jumps; turn += 1) {
    for (const seconds of [hour, 0]) {
      await load.nextWrite()
      setClock(clockFile, seconds)
      await load.nextWrite()
      longestThrottle = Math.max(longestThrottle, await failToSignIn(url))
      tokens.push(await signIn(url, ownerEmail))
      for (const token of tokens) if (!(await isUsable(url, token))) endedSessions += 1
      await pause(between)
    }
  }
  await load.stop()
  const backupCount = await countBackups(url, firstToken)
  const { losses } = socket
  socket.close()
  printFailures(load.failures)
  const { lost, doubled } = await load.check()
  const errors = server
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))
  for (const line of errors.slice(0, 5)) console.log(`   ${line.slice(0, 300)}`)
  console.log(
    `   ${name}: ${jumps} jumps of an hour forward and back, ${load.requestCount} requests, ${load.failures.length} failed; ` +
      `${load.writeCount} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled; ${tokens.length} sessions, ${endedSessions} times ended; ` +
      `${losses} sockets lost; longest throttle ${longestThrottle} s of ${throttle.seconds}; ${backupCount} scheduled backups; ${errors.length} errors in the log`,
  )
  return (
    load.failures.length + lost.length + doubled.length + endedSessions + losses + errors.length === 0 &&
    longestThrottle > 0 &&
    longestThrottle <= throttle.seconds + tolerance &&
    backupCount === 1
  )
}

async function jumpOn(
  name: string,
  library: string,
  databaseEnv: Readonly<Record<string, string>>,
  jumps: number,
): Promise<boolean> {
  const folder = temporaryFolder('clock')
  const clockFile = join(folder, 'clock')
  setClock(clockFile, 0)
  const server = await startServer({
    seed: 'reference',
    dataDir: join(folder, 'data'),
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      LOGIN_THROTTLE: `${throttle.failures}/${throttle.seconds}s`,
      TIME_ZONE: 'UTC',
      BACKUP_AT: new Date(Date.now() + backupAfter * 60_000).toISOString().slice(11, 16),
      BACKUP_FOLDER: join(folder, 'copies'),
      ...databaseEnv,
    },
  })
  try {
    return await jump(name, server, clockFile, jumps)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs the proof and prints its figures.
 *
 * @param jumps - Number of jumps forward and back on each database.
 * @returns Whether no request failed, nobody was signed out, throttles ended in time, and the backup was taken once.
 */
export async function clockJumps(jumps: number): Promise<Outcome> {
  const library = findLibrary()
  if (library === undefined) {
    console.log('   skipped: faketime is not installed (Debian package libfaketime)')
    return { harmless: true, skipped: true }
  }
  const results = [await jumpOn('embedded database', library, {}, jumps)]
  if (findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed: only the embedded database was examined')
    return { harmless: results.every(Boolean), skipped: false }
  }
  const cluster = await startCluster({ isDurable: true })
  try {
    results.push(await jumpOn('PostgreSQL server', library, { DATABASE_URL: cluster.url }, jumps))
  } finally {
    await cluster.stop()
  }
  return { harmless: results.every(Boolean), skipped: false }
}

if (import.meta.main) process.exit((await clockJumps(Number(option('--jumps') ?? 3))).harmless ? 0 : 1)
