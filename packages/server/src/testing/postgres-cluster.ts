/** Throw-away PostgreSQL cluster from installed binaries, for tests and measurements. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

export interface Cluster {
  /** Address of the cluster's empty database. */
  url: string
  stop(): Promise<void>
}

export interface ClusterOptions {
  /** Whether commits reach the disk, as on a real server: for measurements, and for tests of lost power. */
  isDurable?: boolean
  /**
   * Whether the server analyses changed tables by itself, as a real one does. Without it, a statement has the same
   * plan in every run of the tests.
   */
  hasAutovacuum?: boolean
  /** Environment of the server besides that of this process. */
  env?: Readonly<Record<string, string>>
}

/** A database cluster whose data nobody needs after its end does not wait for the disk. */
const memorySettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

const distributionFolder = '/usr/lib/postgresql'
const startLimit = 30_000

/**
 * Returns the folder with some programs of PostgreSQL: first in PATH, else the newest installed; undefined when
 * there is none.
 *
 * @param programs - Names of the programs.
 */
export function findBinaries(programs: readonly string[] = ['initdb', 'postgres']): string | undefined {
  const versions = existsSync(distributionFolder) ? readdirSync(distributionFolder) : []
  const installedFolders = versions
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
    .map((version) => join(distributionFolder, String(version), 'bin'))
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...installedFolders]
  return folders.find((folder) => programs.every((name) => existsSync(join(folder, name))))
}

/** Returns the user of the operating system that runs the server: PostgreSQL refuses root. */
export function unprivilegedUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    try {
      const number = (flag: string) => Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: number('-u'), gid: number('-g') }
    } catch {
      // Names of users that the operating system does not have are skipped.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No free port')),
      )
    })
  })
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startLimit
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended at once with code ${child.exitCode}.`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await wait(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

function waitForExit(child: ChildProcess): Promise<void> {
  return child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => child.once('exit', () => resolve()))
    : Promise.resolve()
}

/**
 * Starts a PostgreSQL cluster in a temporary folder, on a free local port and a socket of its own; `stop`
 * ends it and removes everything.
 *
 * @param options - Whether commits wait for the disk; they do not when absent. Whether tables are analysed; they are
 *   when absent.
 * @returns The address of the cluster, and its end.
 * @throws When PostgreSQL 15 or newer is not installed.
 */
export async function startCluster({
  isDurable: isCrashSafe = false,
  hasAutovacuum = true,
  env,
}: ClusterOptions = {}): Promise<LaunchedPostgres> {
  const binaries = findBinaries()
  if (binaries === undefined) throw new Error('PostgreSQL 15 or newer is not installed.')
  const identity = unprivilegedUser()
  const home = mkdtempSync(join(tmpdir(), 'dala-postgres-'))
  if (identity.uid !== undefined) chownSync(home, identity.uid, identity.gid)
  const folder = join(home, 'data')
  try {
    execFileSync(
      join(binaries, 'initdb'),
      ['-D', folder, '-U', 'dala', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
      {
        ...identity,
        cwd: home,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
  const settings = [...(isCrashSafe ? [] : memorySettings), ...(hasAutovacuum ? [] : ['autovacuum=off'])]
  return launchPostgres(binaries, home, folder, settings, env)
}

/** A running PostgreSQL server: its cluster, and its sudden death. */
export interface LaunchedPostgres extends Cluster {
  /** Ends all of its processes at once, without a checkpoint. */
  kill(): Promise<void>
}

/**
 * Starts PostgreSQL on a folder that `initdb` or `pg_basebackup` has made.
 *
 * @param binaries - The folder of the programs.
 * @param home - The folder that the end removes.
 * @param folder - The data.
 * @param moreSettings - Settings besides those of the address.
 * @param env - Environment besides that of this process.
 * @returns The cluster, which accepts connections.
 */
export async function launchPostgres(
  binaries: string,
  home: string,
  folder: string,
  moreSettings: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<LaunchedPostgres> {
  const port = await freePort()
  const settings = [
    `listen_addresses=127.0.0.1`,
    `port=${port}`,
    `unix_socket_directories=${home}`,
    'max_connections=100',
    ...moreSettings,
  ]
  const child = spawn(join(binaries, 'postgres'), ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])], {
    ...unprivilegedUser(),
    cwd: home,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  })
  const end = () => child.kill('SIGINT')
  process.once('exit', end)
  const stopCluster = async () => {
    process.off('exit', end)
    end()
    await waitForExit(child)
    rmSync(home, { recursive: true, force: true })
  }
  const url = `postgresql://dala@127.0.0.1:${port}/postgres`
  try {
    await waitUntilReady(url, child)
  } catch (error) {
    await stopCluster()
    throw error
  }
  const kill = async () => {
    child.kill('SIGQUIT')
    await waitForExit(child)
  }
  return { url, stop: stopCluster, kill }
}
