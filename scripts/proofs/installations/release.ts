/**
 * Proof that a release runs where nothing is installed. Builds it twice with the same bytes; starts the
 * archive as an unprivileged user with an empty environment and signs the owner in, directly and through
 * nginx; installs an older Debian package in a root file system of its own, starts it, upgrades it with its data,
 * removes and purges it; boots that file system by systemd, which starts, restarts, upgrades and stops the service.
 * `npm run release-proof`; `-- --built <folder>` takes a release that is built, `-- --rootfs <folder>` a root
 * file system of Debian, which is changed.
 */
import { spawn } from 'node:child_process'
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
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, repositoryRoot } from '../../lib/processes.ts'
import { buildRelease } from '../../release/build.ts'
import { bootPackages, proveService } from './booted.ts'
import {
  expectTrue,
  findProgram,
  folderOf,
  isRoot,
  limits,
  makeRoot,
  runProgram,
  send,
  signInOwner,
  start,
  stopCleanly,
  timed,
  unprivileged,
  visit,
} from './steps.ts'

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

/** Largest size of a file of a release, and most packages in it. */
const [maxMegabytes, maxPackages] = [120, 200]

/** Builds the release twice, compares the bytes, and expects few of them and few packages. */
async function buildTwice(folder: string): Promise<string> {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const withDebian = findProgram('dpkg-deb') !== undefined
  const build = (target: string) => buildRelease(target, { takesChanges: true, withDebian })
  const { megabytes, packageCount, checksums } = await timed('release built', () => build(first))
  console.log(`            ${megabytes.map((size) => size.toFixed(1)).join(' and ')} MB, ${packageCount} packages`)
  expectTrue(Math.max(...megabytes) <= maxMegabytes, `A file is larger than ${maxMegabytes} MB.`)
  expectTrue(packageCount <= maxPackages, `There are more than ${maxPackages} packages.`)
  const repeated = await timed('release built again', () => build(second))
  expectTrue(
    checksums.join('\n') === repeated.checksums.join('\n'),
    `The second build differs:\n${checksums.join('\n')}\n${repeated.checksums.join('\n')}`,
  )
  rmSync(second, { recursive: true })
  return first
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
    const root = debian === undefined ? undefined : (given.root ?? (await makeRoot(folder, 'bookworm', bootPackages)))
    if (debian !== undefined && root !== undefined) {
      await proveDebian(join(built, debian), root)
      if (existsSync(join(root, 'lib/systemd/systemd'))) await proveService(root)
      else console.log('   skipped: the root file system has no systemd to boot')
    }
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
