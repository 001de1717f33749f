import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { programEnvironment, quickFlag } from '../testing/program-environment.ts'
import { runInTest } from '../testing/terminal.ts'
import type { NamedFinding } from './doctor/finding.ts'

// A loaded machine needs a while to start each of the programs.
vi.setConfig({ testTimeout: 120_000 })

const dala = join(import.meta.dirname, 'dala.ts')
const running = new Set<ReturnType<typeof spawnDala>>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

function spawnDala(dataDir: string, environment: Readonly<Record<string, string>>, argv: readonly string[]) {
  return spawn(process.execPath, [quickFlag, dala, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: programEnvironment(dataDir, environment),
  })
}

/** Runs the command to its end and returns its exit code and outputs. */
async function run(dataDir: string, environment: Readonly<Record<string, string>>, ...argv: string[]) {
  const child = spawnDala(dataDir, environment, argv)
  running.add(child)
  let [output, errors] = ['', '']
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output, errors }
}

/** Starts a server by the command on a free port and resolves with the port when people can sign in. */
async function start(dataDir: string): Promise<{ port: string; ended: Promise<unknown[]>; stop: () => void }> {
  const child = spawnDala(dataDir, { PORT: '0' }, ['start'])
  running.add(child)
  const ended = once(child, 'exit')
  let output = ''
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString()
      const [, portText] = /running at http:\/\/127\.0\.0\.1:(\d+)\n[^]*Owner: .*\n/.exec(output) ?? []
      if (portText !== undefined) resolve(portText)
    })
    child.once('exit', () => reject(new Error(output)))
  })
  return { port, ended, stop: () => void child.kill('SIGTERM') }
}

test('ends with code 2 and one sentence for wrong use', async () => {
  expect(await run('/nowhere', {}, 'frobnicate')).toEqual({
    code: 2,
    output: '',
    errors: 'There is no command frobnicate; dala --help lists the commands.\n',
  })
})

test('starts a server, examines and backs it up while it runs, and verifies the backup', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'dala-cli-'))
  const { port, ended, stop } = await start(dataDir)
  const examined = await run(dataDir, { PORT: port }, 'doctor', '--json')
  const findings = JSON.parse(examined.output) as NamedFinding[]
  const messageOf = (name: string) => findings.find(({ check }) => check === name)?.message
  expect(messageOf('server')).toMatch(/^A server is running on the data folder \(process \d+\)\.$/)
  expect(messageOf('database')).toBe('The running server uses the database, and reports that it is ready.')
  expect(messageOf('port')).toBe(`The port 127.0.0.1:${port} is served by Dala, which is ready.`)
  const locked = await runInTest({ DATA_DIR: dataDir }, 'user', 'list', '--json')
  expect(locked.code).toBe(1)
  expect(locked.readDocument()).toEqual({
    error: { message: expect.stringContaining('is in use by another running program') as string },
  })
  const folder = join(dataDir, 'monday')
  const backup = await run(dataDir, {}, 'backup', folder)
  expect(backup).toMatchObject({ code: 0, output: expect.stringContaining(`Written: ${folder}\n`) as string })
  stop()
  expect(await ended).toEqual([0, null])
  const verified = await runInTest({ DATA_DIR: dataDir }, 'verify', 'backup', folder)
  expect(verified).toMatchObject({ code: 0, output: expect.stringMatching(/^The backup is whole: /) as string })
  const audit = await runInTest({ DATA_DIR: dataDir }, 'verify', 'audit')
  expect(audit).toMatchObject({ code: 0, output: expect.stringMatching(/^The chain holds\.$/m) as string })
})
