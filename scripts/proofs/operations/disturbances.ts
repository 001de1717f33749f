/**
 * Proof that disturbances of the machine lead to clear refusals and end by themselves. Visitors read, write and
 * upload while the disk of the embedded database becomes full again and again, while a PostgreSQL server is away,
 * and while the disk of either is slow. The full disk needs the right to mount one (root), the slow one gcc.
 * `node scripts/proofs/operations/disturbances.ts --rounds 10 --seconds 30`, `--only full`, `away` or `slow` for one kind.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync, writeSync, openSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { DatabaseRoute } from '../../../packages/server/src/testing/database-route.ts'
import { findBinaries, startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { option } from '../../lib/filled-database.ts'
import { run } from '../../lib/processes.ts'
import { type RunningServer, signIn, startServer, temporaryFolder } from '../../lib/server-process.ts'
import { printFailures, SteadyLoad } from './steady-load.ts'
import { buildSlowDisk } from './slow-disk.ts'
import { SystemWatch } from './system-watch.ts'

const visitors = 3
/** Most milliseconds from the end of a disturbance to the next acknowledged write. */
const recoveryLimit = 5_000
/** Milliseconds for which the disk stays full. */
const fullMs = 3_000
/** Milliseconds for which the disk stays slow. */
const slowMs = 10_000
const calmMs = 1_000
/** So large that the System page does not warn about free space while the disk is not full. */
const diskMegabytes = 1_800
const reserveMegabytes = 200
const block = Buffer.alloc(1_048_576)
/** Statuses that say that nothing was written, and that a client may try again. */
const refusals = new Set([503, 507])

/** A disturbance that begins and ends. */
interface Disturbance {
  begin: () => Promise<void> | void
  end: () => Promise<void> | void
  lasts: number
  /** Whether a look at the System page shows the disturbance. */
  isShown: (look: SystemWatch['looks'][number]) => boolean
}

/** Disturbs a server several times under load, and prints what became of the requests. */
async function disturb(
  name: string,
  server: RunningServer,
  rounds: number,
  { begin, end, lasts, isShown }: Disturbance,
) {
  const load = await SteadyLoad.start(server.url, visitors)
  const watch = await SystemWatch.start(server.url)
  let longest = 0
  let shownRounds = 0
  let falseAlarms = 0
  let goneAfter = 0
  for (let round = 0; round < rounds; round += 1) {
    await load.nextWrite()
    const calm = performance.now()
    await pause(calmMs)
    const begun = performance.now()
    await begin()
    await pause(lasts)
    const shown = watch.looks.filter(isShown)
    if (shown.some(({ at }) => at >= begun)) shownRounds += 1
    falseAlarms += shown.filter(({ at }) => at >= calm && at < begun - calmMs / 2).length
    await end()
    const ended = performance.now()
    await load.nextWrite()
    longest = Math.max(longest, load.lastWrite - ended)
    goneAfter = Math.max(goneAfter, (await watch.nextLook((look) => !isShown(look), ended)).at - ended)
  }
  await load.stop()
  await watch.stop()
  printFailures(load.failures)
  const { lost, doubled } = await load.check()
  const unclear = load.failures.filter(({ status }) => status === undefined || !refusals.has(status)).length
  console.log(
    `   ${name} × ${rounds}: ${load.requestCount} requests, ${load.failures.length} refused, ${unclear} of them not with 503 or 507; ` +
      `longest recovery ${Math.round(longest)} ms; ${load.writeCount} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled` +
      `; shown on the System page in ${shownRounds} of ${rounds} rounds, for ${Math.round(goneAfter)} ms after the end at most, ${falseAlarms} times without a disturbance`,
  )
  const isShownOnly = shownRounds === rounds && falseAlarms === 0
  return unclear === 0 && lost.length + doubled.length === 0 && longest <= recoveryLimit && isShownOnly
}

/** Fills the disk of a folder to its last byte. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'w')
  try {
    for (;;) writeSync(handle, block)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(handle)
  }
}

/** Uploads a picture again and again until told to stop; returns the statuses of the answers. */
async function uploadSteadily(url: string, signal: AbortSignal): Promise<number[]> {
  const token = await signIn(url)
  const statuses: number[] = []
  const [width, height] = [640, 480]
  while (!signal.aborted) {
    const raw = { width, height, channels: 3 } as const
    const picture = await sharp(randomBytes(width * height * 3), { raw })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'field.png')
    const answer = await fetch(`${url}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    await answer.arrayBuffer()
    statuses.push(answer.status)
    await pause(200)
  }
  return statuses
}

/** Files of uploads that are empty or have the name of a half-written one. */
function findPartialFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ name, parentPath }) => /^\.|\.part$|\.tmp$/.test(name) || statSync(join(parentPath, name)).size === 0)
    .map(({ name }) => name)
}

async function fullDisk(rounds: number): Promise<boolean> {
  const folder = temporaryFolder('disk')
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', folder])
  if (mounted.code !== 0) {
    console.log('   skipped: a full disk needs the right to mount one')
    return true
  }
  const dataDir = join(folder, 'data')
  const filler = join(folder, 'filler')
  try {
    mkdirSync(dataDir)
    const server = await startServer({
      seed: 'reference',
      dataDir,
      env: { UPLOAD_RESERVE_MB: String(reserveMegabytes) },
    })
    try {
      const stopping = new AbortController()
      const uploading = uploadSteadily(server.url, stopping.signal)
      const isHarmless = await disturb('full disk', server, rounds, {
        begin: () => fillDisk(filler),
        end: () => rmSync(filler, { force: true }),
        lasts: fullMs,
        isShown: ({ warnings }) => warnings.includes('disk.low'),
      })
      stopping.abort()
      const statuses = await uploading
      const stored = statuses.filter((status) => status < 300).length
      const unclear = statuses.filter((status) => status >= 300 && !refusals.has(status))
      const partial = findPartialFiles(join(dataDir, 'uploads'))
      console.log(
        `   ${stored} of ${statuses.length} uploads stored, ${unclear.length} refused unclearly${unclear.length > 0 ? ` (${unclear.join(', ')})` : ''}, ${partial.length} partial files`,
      )
      return isHarmless && stored > 0 && unclear.length === 0 && partial.length === 0
    } finally {
      await server.close()
    }
  } finally {
    await run('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

async function databaseAway(rounds: number, seconds: number): Promise<boolean> {
  if (findBinaries() === undefined) {
    console.log('   skipped: PostgreSQL is not installed')
    return true
  }
  const cluster = await startCluster({ isDurable: true })
  const route = new DatabaseRoute(cluster.url)
  try {
    await route.open()
    const server = await startServer({ seed: 'reference', env: { DATABASE_URL: route.url } })
    try {
      return await disturb(`database away for ${seconds} s`, server, rounds, {
        begin: () => route.cut(),
        end: () => route.open(),
        lasts: seconds * 1_000,
        // The page says that the state cannot be read, because the caller's session is in the database too.
        isShown: ({ status }) => status === 503,
      })
    } finally {
      await server.close()
    }
  } finally {
    await route.cut()
    await cluster.stop()
  }
}

/** Starts a server on a slow disk, and its PostgreSQL server if it has one. */
async function slowDisk(rounds: number): Promise<boolean> {
  const folder = temporaryFolder('slow')
  try {
    const disk = await buildSlowDisk(folder)
    if (!disk) {
      console.log('   skipped: a slow disk needs gcc (Debian packages gcc and libc6-dev)')
      return true
    }
    const preload = { LD_PRELOAD: disk.library }
    const slowness = {
      begin: () => writeFileSync(disk.flagFile, ''),
      end: () => rmSync(disk.flagFile, { force: true }),
      lasts: slowMs,
      isShown: ({ warnings }: SystemWatch['looks'][number]) => warnings.includes('disk.slow'),
    }
    const disturbServer = async (name: string, env: Readonly<Record<string, string>>) => {
      const server = await startServer({ seed: 'reference', env })
      try {
        return await disturb(`slow disk of ${name}`, server, rounds, slowness)
      } finally {
        await server.close()
      }
    }
    const results = [await disturbServer('the embedded database', preload)]
    if (findBinaries() === undefined) return results.every(Boolean)
    const cluster = await startCluster({ isDurable: true, env: preload })
    try {
      results.push(await disturbServer('a PostgreSQL server', { ...preload, DATABASE_URL: cluster.url }))
    } finally {
      await cluster.stop()
    }
    return results.every(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const allKinds = ['full', 'away', 'slow'] as const
type Kind = (typeof allKinds)[number]

/**
 * Runs the proof and prints its figures.
 *
 * @param rounds - Number of disturbances of each kind.
 * @param seconds - Seconds for which the database is away.
 * @param kinds - The kinds of disturbances.
 * @returns Whether each failure was a clear refusal, nothing was lost, and writes went on within five seconds.
 */
export async function disturbances(
  rounds: number,
  seconds: number,
  kinds: readonly Kind[] = allKinds,
): Promise<{ harmless: boolean }> {
  const proofOf: Readonly<Record<Kind, () => Promise<boolean>>> = {
    full: () => fullDisk(rounds),
    away: () => databaseAway(rounds, seconds),
    slow: () => slowDisk(rounds),
  }
  const results: boolean[] = []
  for (const kind of kinds) results.push(await proofOf[kind]())
  return { harmless: results.every(Boolean) }
}

if (import.meta.main) {
  const only = option('--only')
  const kinds = allKinds.filter((kind) => only === undefined || kind === only)
  const { harmless } = await disturbances(Number(option('--rounds') ?? 10), Number(option('--seconds') ?? 30), kinds)
  process.exit(harmless ? 0 : 1)
}
