import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { connectSocket } from './testing/listening.ts'
import { programEnvironment, quickFlag } from './testing/program-environment.ts'

// A loaded machine needs a while to start a program.
vi.setConfig({ testTimeout: 60_000 })

let child: ChildProcess | undefined
afterEach(() => void child?.kill('SIGKILL'))

// Handler of a signal, by which a test makes the server fail from outside.
const preload = `data:text/javascript,process.on('SIGUSR2',()=>{Promise.reject(new Error('nobody waits for this'))})`

/** Output of a test's program so far. */
let output = ''
const readOutput = () => output

/**
 * Starts the program on an empty folder.
 *
 * @returns Its port, its folder, its output, and its end.
 */
async function start(wantedPort = 0, settings: Readonly<Record<string, string>> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'dala-main-'))
  const startedProcess = spawn(
    process.execPath,
    [quickFlag, '--import', preload, join(import.meta.dirname, 'main.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: programEnvironment(dataDir, { PORT: `${wantedPort}`, ...settings }),
    },
  )
  child = startedProcess
  const endedSignal = once(startedProcess, 'exit')
  output = ''
  const port = await new Promise<number>((resolve, reject) => {
    const readPart = (outputPart: Buffer) => {
      output += outputPart.toString()
      const [, portText] = /running at http:\/\/127\.0\.0\.1:(\d+)\n[^]*Owner: .*\n/.exec(output) ?? []
      if (portText !== undefined) resolve(Number(portText))
    }
    startedProcess.stdout.on('data', readPart)
    startedProcess.stderr.on('data', readPart)
    startedProcess.once('exit', () => reject(new Error(output)))
  })
  return { dataDir, port, started: startedProcess, ended: endedSignal, output: readOutput }
}

/** Sends the headers of a request whose body never arrives. */
async function occupyPort(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = 'POST /api/auth/local HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`)
  // The server has read the headers of the request when it asks for the body.
  await once(socket, 'data')
  return socket
}

test('prints three lines at the start, and stops after open requests end or at a second signal', async () => {
  const { port, started, ended, output, dataDir } = await start()
  expect(output()).toBe(
    `Dala is running at http://127.0.0.1:${port}\nData folder: ${dataDir}\nOwner: owner@example.org\n`,
  )
  const socket = await occupyPort(port)
  started.kill('SIGTERM')
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          () => 'open',
          () => 'closed',
        ),
      { timeout: 10_000 },
    )
    .toBe('closed')
  expect(started.exitCode).toBe(null)
  started.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  socket.destroy()
})

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await promisify(server.close.bind(server))()
  return port
}

const signInAt = (address: string) =>
  fetch(`${address}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'owner@example.org', password: 'Harvest-2026' }),
  })

test('accepts sign-ins as soon as the server is ready, and prints its address no earlier', async () => {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const startingProcess = start(port)
  const statusOf = (path: string) =>
    fetch(`${address}${path}`).then(
      ({ status }) => status,
      () => 'closed' as const,
    )
  const isReady = async () => {
    expect(child?.exitCode).toBe(null)
    const isPrinted = readOutput().includes('running at')
    const [health, readyStatus] = [await statusOf('/health'), await statusOf('/ready')]
    // The health route reports the process as alive as soon as the port is open.
    expect([200, 'closed']).toContain(health)
    expect(isPrinted ? [200] : [200, 503, 'closed']).toContain(readyStatus)
    return readyStatus === 200
  }
  await vi.waitUntil(isReady, { timeout: 50_000, interval: 20 })
  expect((await signInAt(address)).status).toBe(200)
  await startingProcess
})

test('logs an unhandled error, and ends the program cleanly with code 1', async () => {
  const { started, ended, output, dataDir } = await start()
  started.kill('SIGUSR2')
  expect(await ended).toEqual([1, null])
  expect(output()).toMatch(/"level":"fatal".*nobody waits for this.*"unhandled error"/)
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)
})

test('connects sockets to the application, and ends sockets immediately in a stop', async () => {
  const { port, started, ended } = await start()
  const address = `http://127.0.0.1:${port}`
  const signedIn = await signInAt(address)
  const { jwt: token } = (await signedIn.json()) as { jwt: string }
  const ear = await connectSocket(address, { token })
  started.kill('SIGTERM')
  expect(await ear.endedSignal).toBe('io server disconnect')
  expect(await ended).toEqual([0, null])
})

test('answers while it drains, says so at /ready, and then ends with its sockets', async () => {
  const { port, started, ended } = await start(await freePort(), { DRAIN_SECONDS: '1' })
  const address = `http://127.0.0.1:${port}`
  const signedIn = await signInAt(address)
  const { jwt: token } = (await signedIn.json()) as { jwt: string }
  const ear = await connectSocket(address, { token })
  started.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${address}/ready`)).json()).toEqual({ status: 'draining' })
  expect((await signInAt(address)).status).toBe(200)
  expect(await ear.endedSignal).toBe('io server disconnect')
  expect(await ended).toEqual([0, null])
})

/** Returns a hash of every file of the database. */
function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(files.map(({ parentPath, name }) => [join(parentPath, name), hash(join(parentPath, name))]))
}

test('ends the program without writing when another one took its data folder while it was paused', async () => {
  const { port, started, ended, output, dataDir } = await start()
  const lock = join(dataDir, 'lock')
  // A statement that runs during the stop continues after it, so the work of the start must have ended.
  let seenState = {}
  const isQuiet = () => {
    const formerState = seenState
    seenState = contentOf(join(dataDir, 'db'))
    return isDeepStrictEqual(formerState, seenState)
  }
  await vi.waitUntil(isQuiet, { timeout: 30_000, interval: 500 })
  started.kill('SIGSTOP')
  const stoppedAt = performance.now()
  // State of a data folder that a start in another container leaves once the beats of its lock have stopped.
  const owner = JSON.stringify({ pid: 1, started: '1', world: 'another container' })
  rmSync(lock)
  writeFileSync(lock, owner)
  const contentBefore = contentOf(join(dataDir, 'db'))
  // The program's last check of the lock file must be older than the time for which a check is valid.
  await vi.waitUntil(() => performance.now() - stoppedAt > 1_000)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const body = JSON.stringify({ identifier: 'owner@example.org', password: 'Harvest-2026' })
  const head = `POST /api/auth/local HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  started.kill('SIGCONT')
  const [code, signal] = (await ended) as [number | null, string | null]
  expect(code === 1 || signal === 'SIGKILL').toBe(true)
  expect(output()).toContain('was taken over by another program')
  expect(contentOf(join(dataDir, 'db'))).toEqual(contentBefore)
  expect(readFileSync(lock, 'utf8')).toBe(owner)
  socket.destroy()
})
