/** Starts, watches and ends child processes. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

export const repositoryRoot = join(import.meta.dirname, '../..')

/** Returns the path of a program that a dependency installed. */
export function installedProgram(name: string): string {
  return join(repositoryRoot, 'node_modules/.bin', name)
}

/** Environment in which installed programs find the pinned Node first, as under npm. */
export function addInstalledPrograms(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, PATH: `${join(repositoryRoot, 'node_modules/.bin')}${delimiter}${env['PATH'] ?? ''}` }
}

export interface FinishedProcess {
  code: number
  /** Standard output and standard error of the child process, in order of arrival. */
  output: string
}

/** Runs a program to its end and returns its output; `show` also prints the output. */
export async function run(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { show?: boolean } = {},
): Promise<FinishedProcess> {
  const { show = false, ...spawnOptions } = options
  const child = spawn(program, args, {
    cwd: repositoryRoot,
    ...spawnOptions,
    env: addInstalledPrograms(spawnOptions.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    if (show) process.stdout.write(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    if (show) process.stderr.write(chunk)
  })
  return await new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ code: 127, output: `${program} could not be started: ${error.message}\n` }),
    )
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(parts).toString() }))
  })
}

/** Finds a port that is free at this moment. */
export async function freePort(): Promise<number> {
  const probeServer = createServer()
  return await new Promise((resolve, reject) => {
    probeServer.once('error', reject)
    probeServer.listen(0, '127.0.0.1', () => {
      const address = probeServer.address()
      probeServer.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port')),
      )
    })
  })
}

/** Ends a child process by its own id and waits for its exit. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const childExit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  child.kill(signal)
  return await childExit
}
