/** Steps that proofs of installations share: programs of the system, a started release, and a visit to it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { freePort, run } from '../../lib/processes.ts'
import { ownerEmail, trialPassword } from '../../lib/server-process.ts'

/** Milliseconds for a start, a stop, one request, and a program beside it. */
export const limits = { start: 300_000, stop: 20_000, request: 10_000, program: 300_000 }
/** User without rights, `nobody` of Linux. */
export const unprivileged = 65_534
export const isRoot = process.getuid?.() === 0

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}

/** Runs a part of the proof and prints its seconds. */
export async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  console.log(`   ${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${name}`)
  return result
}

export function expectTrue(condition: boolean, failure: string): asserts condition {
  if (!condition) throw new Error(failure)
}

/** Runs a program that must succeed. */
export async function runProgram(program: string, args: readonly string[], cwd = tmpdir()): Promise<string> {
  const { code, output } = await run(program, args, { cwd, timeout: limits.program })
  expectTrue(code === 0, `${program} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}

interface Answer {
  status: number
  text: string
}

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Certificate to trust, for https. */
  ca?: Buffer | undefined
}

/** Sends a request; https trusts the given certificate. */
export async function send(url: string, { method = 'GET', headers = {}, body, ca }: Call = {}): Promise<Answer> {
  const makeRequest = url.startsWith('https:') ? httpsRequest : httpRequest
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = { method, headers, ca, signal: AbortSignal.timeout(limits.request) }
  makeRequest(url, options, resolve).once('error', reject).end(body)
  const answer = await promise
  return { status: answer.statusCode ?? 0, text: await readText(answer) }
}

/** Opens a web socket as the owner, without the polling that could stand in for it. */
async function openSocket(url: string, token: string, ca: Buffer | undefined): Promise<void> {
  const socket = io(url, {
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    timeout: limits.request,
    ...(ca && { ca: ca.toString() }),
  })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
    })
  } finally {
    socket.disconnect()
  }
}

/** Signs the owner in and returns the token. */
export async function signInOwner(url: string, ca?: Buffer): Promise<string> {
  const signIn = await send(`${url}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: ownerEmail, password: trialPassword }),
    ca,
  })
  expectTrue(signIn.status === 200, `The owner was refused with ${signIn.status}: ${signIn.text}`)
  return (JSON.parse(signIn.text) as { jwt: string }).jwt
}

/** Signs the owner in, loads the page of the panel with one of its files, and opens a web socket. */
export async function visit(url: string, ca?: Buffer): Promise<void> {
  const jwt = await signInOwner(url, ca)
  const page = await send(`${url}/app`, { headers: { accept: 'text/html' }, ca })
  const script = /src="(\/assets\/[^"]+\.js)"/u.exec(page.text)?.[1]
  expectTrue(page.status === 200 && script !== undefined, `The page of the panel answered ${page.status}`)
  const file = await send(url + script, { ca })
  expectTrue(file.status === 200 && file.text.length > 1_000, `A file of the panel answered ${file.status}`)
  await openSocket(url, jwt, ca)
}

/** A started program of a release. */
export interface Running {
  url: string
  port: number
  child: ChildProcess
  output: () => string
}

export interface Start {
  command: readonly [program: string, ...args: string[]]
  /** The whole environment besides address and owner. */
  env: Record<string, string>
  cwd: string
  asNobody?: boolean
}

/** Starts `dala start` and waits until it is ready. */
export async function start({ command: [program, ...args], env, cwd, asNobody = false }: Start): Promise<Running> {
  const port = await freePort()
  const owner = { OWNER_EMAIL: ownerEmail, OWNER_PASSWORD: trialPassword }
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...owner, PORT: String(port), TRUSTED_PROXIES: '127.0.0.1', VIDEO_CHECKS: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(asNobody && { uid: unprivileged, gid: unprivileged }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.once('error', (error) => (output += error.message))
  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + limits.start
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const ready = await send(`${url}/ready`).catch(() => undefined)
    if (ready?.status === 200) return { url, port, child, output: () => output }
    await pause(50)
  }
  child.kill('SIGKILL')
  throw new Error(`The release was not ready (code ${child.exitCode}):\n${output}`)
}

/** Stops a program as systemd does, and expects a clean end. */
export async function stopCleanly({ child, output }: Running): Promise<void> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const code = await Promise.race([ended, pause(limits.stop, undefined, { ref: false })])
  if (code === undefined) child.kill('SIGKILL')
  expectTrue(code === 0, `SIGTERM ended the release with ${String(code)}:\n${output()}`)
}

/**
 * Makes a root file system of Debian.
 *
 * @param suite - The version, `bookworm`.
 * @param packages - Packages besides the smallest system.
 * @returns Its folder; undefined where it cannot be made.
 */
export async function makeRoot(
  folder: string,
  suite: 'bookworm' | 'trixie',
  packages: readonly string[] = [],
): Promise<string | undefined> {
  const debootstrap = findProgram('debootstrap')
  if (!isRoot || debootstrap === undefined) {
    console.log('   skipped: a root file system of Debian needs root and debootstrap')
    return undefined
  }
  const root = join(folder, suite)
  const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`]
  await timed(`root file system of Debian made (${suite})`, () =>
    runProgram(debootstrap, ['--variant=minbase', ...include, suite, root]),
  )
  return root
}

/** Returns the folder that an option names. */
export const folderOf = (name: string) => {
  const position = process.argv.indexOf(name)
  const folder = position < 0 ? undefined : process.argv[position + 1]
  return folder === undefined ? undefined : resolve(folder)
}
