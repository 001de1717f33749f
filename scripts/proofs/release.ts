/**
 * Proof that a release runs where nothing is installed. Builds it twice with the same bytes; starts the
 * archive as an unprivileged user with an empty environment and signs the owner in, directly and through
 * nginx; installs an older Debian package in a root file system of its own, starts it, upgrades it with its data,
 * removes and purges it. `npm
 * run release-proof`; `-- --built <folder>` takes a release that is built, `-- --rootfs <folder>` a root
 * file system of Debian, which is changed.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { freePort, repositoryRoot, run } from '../lib/processes.ts'
import { ownerEmail, trialPassword } from '../lib/server-process.ts'
import { buildRelease } from '../release/build.ts'

/** Milliseconds for a start, a stop, one request, and a program beside it. */
const limits = { start: 300_000, stop: 20_000, request: 10_000, program: 300_000 }
/** User without rights, `nobody` of Linux. */
const unprivileged = 65_534
const isRoot = process.getuid?.() === 0

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}

/** Runs a part of the proof and prints its seconds. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  console.log(`   ${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${name}`)
  return result
}

function expectTrue(condition: boolean, failure: string): asserts condition {
  if (!condition) throw new Error(failure)
}

/** Runs a program that must succeed. */
async function runProgram(program: string, args: readonly string[], cwd = tmpdir()): Promise<string> {
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
async function send(url: string, { method = 'GET', headers = {}, body, ca }: Call = {}): Promise<Answer> {
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
async function signInOwner(url: string, ca?: Buffer): Promise<string> {
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
async function visit(url: string, ca?: Buffer): Promise<void> {
  const jwt = await signInOwner(url, ca)
  const page = await send(`${url}/app`, { headers: { accept: 'text/html' }, ca })
  const script = /src="(\/assets\/[^"]+\.js)"/u.exec(page.text)?.[1]
  expectTrue(page.status === 200 && script !== undefined, `The page of the panel answered ${page.status}`)
  const file = await send(url + script, { ca })
  expectTrue(file.status === 200 && file.text.length > 1_000, `A file of the panel answered ${file.status}`)
  await openSocket(url, jwt, ca)
}

/** A started program of a release. */
interface Running {
  url: string
  port: number
  child: ChildProcess
  output: () => string
}

interface Start {
  command: readonly [program: string, ...args: string[]]
  /** The whole environment besides address and owner. */
  env: Record<string, string>
  cwd: string
  asNobody?: boolean
}

/** Starts `dala start` and waits until it is ready. */
async function start({ command: [program, ...args], env, cwd, asNobody = false }: Start): Promise<Running> {
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
async function stopCleanly({ child, output }: Running): Promise<void> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const code = await Promise.race([ended, pause(limits.stop, undefined, { ref: false })])
  if (code === undefined) child.kill('SIGKILL')
  expectTrue(code === 0, `SIGTERM ended the release with ${String(code)}:\n${output()}`)
}

/** Replaces a part of an example, which must contain it. */
function replacePart(text: string, part: string, replacement: string): string {
  expectTrue(text.includes(part), `The example does not contain "${part}".`)
  return text.replaceAll(part, replacement)
}

/** Sends a visit through nginx with the example of `deploy/`, over TLS. */
async function visitThroughNginx(nginx: string, port: number, folder: string): Promise<void> {
  mkdirSync(folder)
  const [tlsPort, plainPort] = [await freePort(), await freePort()]
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const keyKind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  await runProgram('openssl', ['req', '-x509', ...keyKind, ...subject, '-keyout', key, '-out', certificate])
  const example = [
    ['127.0.0.1:1337', `127.0.0.1:${port}`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`],
    ['/etc/ssl/dala/fullchain.pem', certificate],
    ['/etc/ssl/dala/privkey.pem', key],
  ].reduce(
    (text, [part = '', replacement = '']) => replacePart(text, part, replacement),
    readFileSync(join(repositoryRoot, 'deploy/nginx/dala.conf'), 'utf8'),
  )
  writeFileSync(join(folder, 'dala.conf'), example)
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const settings = join(folder, 'nginx.conf')
  writeFileSync(
    settings,
    `daemon off;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'error.log')};
events {}
http {
  access_log off;
${temporaryPaths.map((name) => `  ${name}_temp_path ${join(folder, name)};`).join('\n')}
  include ${join(folder, 'dala.conf')};
}
`,
  )
  await runProgram(nginx, ['-t', '-p', folder, '-c', settings])
  const child = spawn(nginx, ['-p', folder, '-c', settings], { stdio: 'ignore' })
  const url = `https://127.0.0.1:${tlsPort}`
  const ca = readFileSync(certificate)
  try {
    const deadline = performance.now() + limits.request
    while (performance.now() < deadline && !(await send(`${url}/ready`, { ca }).catch(() => undefined))) await pause(50)
    await visit(url, ca)
    // A piece of 8 MB exceeds what nginx accepts by itself; Dala refuses it because it has no sender.
    const piece = { method: 'PATCH', headers: { 'content-type': 'application/offset+octet-stream' }, ca }
    const { status } = await send(`${url}/api/upload/resumable/1`, { ...piece, body: Buffer.alloc(8 * 1_048_576) })
    expectTrue(status >= 400 && status < 500 && status !== 413, `A piece of an upload was answered with ${status}`)
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
}

/** Proves the archive: an empty folder, a user without rights, no Node on PATH. */
async function proveArchive(archive: string, folder: string): Promise<void> {
  const [tools, home] = [join(folder, 'tools'), join(folder, 'home')]
  // The launcher needs one program of the system besides its shell.
  mkdirSync(tools)
  symlinkSync(findProgram('readlink') ?? '/usr/bin/readlink', join(tools, 'readlink'))
  mkdirSync(home)
  if (isRoot) chownSync(home, unprivileged, unprivileged)
  await timed('archive unpacked', async () => {
    const asNobody = isRoot ? ['setpriv', `--reuid=${unprivileged}`, `--regid=${unprivileged}`, '--clear-groups'] : []
    const [program, ...args] = [...asNobody, 'tar', '-xzf', archive, '-C', home]
    await runProgram(program, args, folder)
  })
  const unpacked = readdirSync(home)[0] ?? ''
  const command = [join(home, unpacked, 'bin/dala'), 'start'] as const
  const env = { PATH: tools, DATA_DIR: join(home, 'data') }
  const first = await timed('first start, ready', () =>
    start({ command: [...command], env, cwd: home, asNobody: isRoot }),
  )
  try {
    await timed('owner signed in, panel loaded, web socket opened', () => visit(first.url))
    const nginx = findProgram('nginx')
    if (nginx === undefined) console.log('   skipped: nginx is not installed')
    else
      await timed('the same through nginx, and a piece of 8 MB', () =>
        visitThroughNginx(nginx, first.port, join(folder, 'nginx')),
      )
    await timed('stopped by SIGTERM with 0', () => stopCleanly(first))
    const second = await timed('second start, ready', () =>
      start({ command: [...command], env, cwd: home, asNobody: isRoot }),
    )
    await timed('stopped by SIGTERM with 0', () => stopCleanly(second))
  } finally {
    first.child.kill('SIGKILL')
  }
}

/** Runs a command in a root file system. */
const inRoot = (root: string, ...command: string[]) => runProgram('chroot', [root, ...command])

/** Lets dpkg install a package in a root file system, without the environment of this program. */
const installInRoot = (root: string, file: string) =>
  inRoot(root, '/usr/bin/env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'dpkg', '--install', file)

const olderVersion = '0.0.0~older'

/** Packs the content of a Debian package again under an older version. */
async function packOlder(debian: string, folder: string, target: string): Promise<void> {
  await runProgram('dpkg-deb', ['--raw-extract', debian, folder])
  const control = join(folder, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/mu, `Version: ${olderVersion}`))
  // A file that the next version lacks is removed by the upgrade.
  writeFileSync(join(folder, 'usr/lib/dala/older'), olderVersion)
  await runProgram('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z1', '--build', folder, target])
  rmSync(folder, { recursive: true })
}

/** Creates a record as the owner and returns its path. */
async function writeRecord(url: string, title: string): Promise<string> {
  const answer = await send(`${url}/api/news?locale=en`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await signInOwner(url)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { title, description: title } }),
  })
  expectTrue(answer.status === 200, `A record was refused with ${answer.status}: ${answer.text}`)
  return `/api/news/${(JSON.parse(answer.text) as { data: { id: number } }).data.id}`
}

/** Proves the Debian package in a root file system of its own: installed, upgraded, removed and purged. */
async function proveDebian(debian: string, root: string): Promise<void> {
  copyFileSync(debian, join(root, 'dala.deb'))
  await timed('older Debian package made of the same content', () =>
    packOlder(debian, join(root, 'older'), join(root, 'older.deb')),
  )
  await timed('older Debian package installed', () => installInRoot(root, '/older.deb'))
  expectTrue(!existsSync(join(root, 'usr/bin/node')), 'The root file system has a Node of its own.')
  const data = join(root, 'var/lib/dala')
  const settings = join(root, 'etc/default/dala')
  // A mount namespace of its own ends with the program; root starts the command, which changes to its user.
  const mounts = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" /usr/bin/dala start'
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
  const startInRoot = () => start({ command: ['unshare', '--mount', 'sh', '-c', mounts, root], env, cwd: tmpdir() })
  const older = await timed('first start by root as the user dala, ready', startInRoot)
  let record: string
  try {
    record = await writeRecord(older.url, 'Written before the upgrade')
    await timed('stopped by SIGTERM with 0', () => stopCleanly(older))
  } finally {
    older.child.kill('SIGKILL')
  }
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}\nINVITE_HOURS='5'\n`)
  await timed('upgraded', () => installInRoot(root, '/dala.deb'))
  const installed = (await inRoot(root, 'dpkg-query', '--show', '--showformat=${Version}', 'dala')).trim()
  expectTrue(installed !== olderVersion, 'The older version is still installed.')
  expectTrue(!existsSync(join(root, 'usr/lib/dala/older')), 'The upgrade left a file of the older version.')
  expectTrue(readFileSync(settings, 'utf8').includes(`INVITE_HOURS='5'`), 'The upgrade lost a changed setting.')
  const server = await timed('start of the new version on the same data, ready', startInRoot)
  try {
    const headers = { authorization: `Bearer ${await signInOwner(server.url)}` }
    const kept = await send(server.url + record, { headers })
    expectTrue(kept.text.includes('Written before the upgrade'), `The upgrade lost a record: ${kept.text}`)
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    const user = (await inRoot(root, 'id', '-u', 'dala')).trim()
    expectTrue(new RegExp(`^Uid:\\s${user}\\s`, 'mu').test(status), 'The server does not run as the user dala.')
    expectTrue(/^CapEff:\s0+$/mu.test(status), 'The server has capabilities.')
    await timed('owner signed in, panel loaded, web socket opened', () => visit(server.url))
    await timed('stopped by SIGTERM with 0', () => stopCleanly(server))
  } finally {
    server.child.kill('SIGKILL')
  }
  await timed('removed, with the data left', async () => {
    await inRoot(root, 'dpkg', '--remove', 'dala')
    expectTrue(existsSync(join(data, 'db')), 'The removal deleted the data.')
  })
  await timed('purged', async () => {
    await inRoot(root, 'dpkg', '--purge', 'dala')
    expectTrue(!existsSync(data) && !existsSync(settings), 'The purge left files.')
  })
}

/** Makes a root file system of Debian; undefined where it cannot be made. */
async function makeRoot(folder: string): Promise<string | undefined> {
  const debootstrap = findProgram('debootstrap')
  if (!isRoot || debootstrap === undefined) {
    console.log('   skipped: the Debian package needs root and debootstrap')
    return undefined
  }
  const root = join(folder, 'rootfs')
  await timed('root file system of Debian made', () => runProgram(debootstrap, ['--variant=minbase', 'bookworm', root]))
  return root
}

/** Builds the release twice and compares the bytes. */
async function buildTwice(folder: string): Promise<string> {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const withDebian = findProgram('dpkg-deb') !== undefined
  const build = (target: string) => buildRelease(target, { takesChanges: true, withDebian })
  const { megabytes, packageCount, checksums } = await timed('release built', () => build(first))
  console.log(`            ${megabytes.map((size) => size.toFixed(1)).join(' and ')} MB, ${packageCount} packages`)
  const repeated = await timed('release built again', () => build(second))
  expectTrue(
    checksums.join('\n') === repeated.checksums.join('\n'),
    `The second build differs:\n${checksums.join('\n')}\n${repeated.checksums.join('\n')}`,
  )
  rmSync(second, { recursive: true })
  return first
}

/** Returns the folder that an option names. */
const folderOf = (name: string) => {
  const position = process.argv.indexOf(name)
  const folder = position < 0 ? undefined : process.argv[position + 1]
  return folder === undefined ? undefined : resolve(folder)
}

/**
 * Builds a release and runs it where nothing is installed.
 *
 * @param given - A release that is built, and a root file system to install into.
 * @returns Whether everything held.
 */
export async function releaseProof(given: { built?: string | undefined; root?: string | undefined } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dala-release-proof-'))
  chmodSync(folder, 0o755)
  try {
    const built = given.built ?? (await buildTwice(folder))
    const files = readdirSync(built)
    const archive = files.find((file) => file.endsWith('.tar.gz'))
    expectTrue(archive !== undefined, `There is no archive in ${built}.`)
    await proveArchive(join(built, archive), folder)
    const debian = files.find((file) => file.endsWith('.deb'))
    const root = debian === undefined ? undefined : (given.root ?? (await makeRoot(folder)))
    if (debian !== undefined && root !== undefined) await proveDebian(join(built, debian), root)
    return { harmless: true }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return { harmless: false }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { harmless } = await releaseProof({ built: folderOf('--built'), root: folderOf('--rootfs') })
  process.exit(harmless ? 0 : 1)
}
