/** Starts the real server as a child process, on its own folder and port, and waits until it is ready. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { wideBudgets } from '../../packages/server/src/testing/wide-budgets.ts'
import { freePort, repositoryRoot, stop } from './processes.ts'
import { quickAdditions } from './quick-start.ts'
import { startFlagsOf } from './start-flags.ts'

const entryOf = (root: string) => join(root, 'packages/server/src/main.ts')

/** Returns the flags of `npm start` of a version of the program, which work from any folder. */
function nodeFlagsOf(root: string): string[] {
  const { flags, modules } = startFlagsOf(root)
  return [...flags, ...modules.flatMap((file) => ['--import', pathToFileURL(join(root, file)).href])]
}

export const ownerEmail = 'owner@example.org'
/** Password of owners on servers that live for one run on this machine only. */
export const trialPassword = 'Trial-harvest-7'

/** Arguments of Node that start the server as `npm start` does. */
export const startArgs: readonly string[] = [...nodeFlagsOf(repositoryRoot), entryOf(repositoryRoot)]

export interface ServerOptions {
  /** Folder of another version of the program. */
  root?: string
  /** Path of a module that is loaded before the server; the bench adds a route with it. */
  preload?: string
  dataDir?: string
  port?: number
  seed?: 'demo' | 'samples' | 'reference' | 'none'
  env?: Readonly<Record<string, string>>
  /**
   * Whether the server gets a low priority: in production it does not share a machine with the measured
   * browser.
   */
  yieldsProcessor?: boolean
  /**
   * Whether it runs as in an installation even where quick starts are requested: somebody judges its memory, or it
   * answers for minutes.
   */
  isAsInstalled?: boolean
}

export interface RunningServer {
  url: string
  port: number
  dataDir: string
  child: ChildProcess
  /** Returns the complete output of the server so far. */
  output: () => string
  /** Ends the server by its process id and removes the data folder if this start created the folder. */
  close: () => Promise<void>
}

/** Makes a fresh data folder for a server, outside the repository. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `dala-${name}-`))
}

/**
 * The environment of a trial server, without the caller's settings of a real installation, so that no test
 * can touch a real database, bucket or mail server.
 */
export function trialEnvironment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const inheritedEnvironment = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|LANG|LC_.*|TMPDIR|TEMP|TMP|SystemRoot|USER|SHELL|CI)$/.test(name),
  )
  return { ...Object.fromEntries(inheritedEnvironment), ...settings }
}

/** Line that a server prints when the demo content is complete. */
const demoCompleteLine = 'The demo content is complete.'

// Milliseconds to wait for a server: a first start seeds some thousand records, which takes long on a loaded
// machine.
const startLimit = 180_000
/** Milliseconds to wait for a server with the complete demo. */
const demoLimit = 600_000

/**
 * Starts a server and waits until it is ready.
 *
 * @param options - Address, data and settings.
 * @returns The running server.
 * @throws With its whole output when it ends, or is not ready in time.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const port = options.port ?? (await freePort())
  const dataDir = options.dataDir ?? temporaryFolder('server')
  const preload = options.preload === undefined ? [] : ['--import', pathToFileURL(options.preload).href]
  const root = options.root ?? repositoryRoot
  const additions = options.isAsInstalled ? { flags: [], env: {} } : quickAdditions()
  const child = spawn(process.execPath, [...additions.flags, ...nodeFlagsOf(root), ...preload, entryOf(root)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: trialEnvironment({
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      SEED: options.seed ?? 'samples',
      OWNER_EMAIL: ownerEmail,
      OWNER_PASSWORD: trialPassword,
      DEMO_PASSWORD: trialPassword,
      // Servers of trials ask no video sites, so that no trial depends on the internet.
      VIDEO_CHECKS: 'off',
      ...wideBudgets,
      ...additions.env,
      ...options.env,
    }),
  })
  if (options.yieldsProcessor && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const parts: string[] = []
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString()))
  const server: RunningServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    child,
    output: () => parts.join(''),
    close: async () => {
      await stop(child)
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
  const limit = options.seed === 'demo' ? demoLimit : startLimit
  const deadline = Date.now() + limit
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    if ((await isReady(server.url)) && (options.seed !== 'demo' || server.output().includes(demoCompleteLine)))
      return server
    await pause(50)
  }
  const reason =
    child.exitCode === null ? `was not ready within ${limit / 1_000} s` : `ended with code ${child.exitCode}`
  await server.close()
  throw new Error(`The server ${reason}. It said:\n${server.output()}`)
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`)).status === 200
  } catch {
    // A refused connection means that the server does not listen yet.
    return false
  }
}

/**
 * Signs in by HTTP and returns the token.
 *
 * @throws When the server refuses.
 */
export async function signIn(url: string, identifier = ownerEmail, password = trialPassword): Promise<string> {
  const answer = await fetch(`${url}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier, password }),
  })
  const body = (await answer.json()) as { jwt?: string }
  if (!body.jwt) throw new Error(`Sign-in as ${identifier} was refused with ${answer.status}: ${JSON.stringify(body)}`)
  return body.jwt
}

/**
 * Creates a record by HTTP, with its texts in English.
 *
 * @returns The id of the record.
 * @throws When the server refuses.
 */
export async function createRecord(url: string, token: string, resource: string, data: object): Promise<number> {
  const answer = await fetch(`${url}/api/${resource}?locale=en`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  })
  if (!answer.ok) throw new Error(`A record was refused: ${await answer.text()}`)
  return ((await answer.json()) as { data: { id: number } }).data.id
}
