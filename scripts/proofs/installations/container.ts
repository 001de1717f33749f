/**
 * Proof that the container of `deploy/container` is built and runs. Makes a base image of Debian, because none can be
 * pulled everywhere, builds the image of a release on it, starts it as the image and `compose.yaml` say (user, command
 * and environment of the image, no capability, a file system that cannot be written), signs the owner in, checks its
 * health, and stops it by SIGTERM. `node scripts/proofs/installations/container.ts`; `--built <folder>` takes a release
 * that is built, `--rootfs <folder>` a root file system of Debian 13. Needs root, debootstrap and buildah.
 */
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot, run } from '../../lib/processes.ts'
import { buildRelease } from '../../release/build.ts'
import {
  expectTrue,
  findProgram,
  folderOf,
  isRoot,
  makeRoot,
  runProgram,
  type Running,
  start,
  stopCleanly,
  timed,
  visit,
} from './steps.ts'

const containerFolder = join(repositoryRoot, 'deploy/container')
/** Names of the images, which the proof removes. */
const names = { base: 'localhost/dala-proof-debian', image: 'localhost/dala-proof' }

/** The start of a container, as its image describes it. */
interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  StopSignal: string
  Healthcheck?: { Test: string[] }
}

/** Builds the image of a release on the root file system of Debian, and returns what it says about its start. */
async function buildImage(buildah: string, archive: string, root: string, folder: string): Promise<ImageConfig> {
  const builds = (...args: string[]) => runProgram(buildah, args)
  await timed('base image made', async () => {
    const container = (await builds('from', 'scratch')).trim()
    await builds('add', '--quiet', container, root, '/')
    await builds('commit', '--quiet', '--rm', container, names.base)
  })
  // The whole repository is not needed: the Containerfile copies the archive only.
  const context = join(folder, 'context')
  mkdirSync(join(context, 'dist'), { recursive: true })
  copyFileSync(archive, join(context, 'dist', archive.slice(archive.lastIndexOf('/') + 1)))
  const place = ['--isolation', 'chroot', '--net', 'host', '--pull-never', '--format', 'docker']
  const what = ['--build-arg', `BASE=${names.base}`, '-f', join(containerFolder, 'Containerfile'), '-t', names.image]
  await timed('image built', () => builds('bud', ...place, ...what, context))
  const inspected = await builds('inspect', '--type', 'image', names.image)
  return (JSON.parse(inspected) as { Docker: { config: ImageConfig } }).Docker.config
}

/** A container: its file system, the folder of its volume, and what its image says. */
interface Container {
  root: string
  data: string
  config: ImageConfig
}

/** Returns the command that runs a program in a container. Mounts in a namespace of their own end with the program. */
function commandIn({ root, data, config: { User, WorkingDir } }: Container, args: readonly string[]) {
  const script = `set -e
root=$0 data=$1
shift
user=$(chroot "$root" id -u ${User}) group=$(chroot "$root" id -g ${User})
chown "$user:$group" "$data"
# Only the volume and the folders that compose.yaml names can be written.
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777 none "$root/tmp"
mount -t tmpfs -o "mode=0700,uid=$user,gid=$group" none "$root/cache"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" setpriv --reuid=${User} --regid=${User} --init-groups --inh-caps=-all --bounding-set=-all \\
  --no-new-privs env -C ${WorkingDir} "$@"`
  return ['unshare', '--mount', 'sh', '-c', script, root, data, ...args] as const
}

const environmentOf = ({ Env }: ImageConfig) =>
  Object.fromEntries(Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))

/** Runs the check of the image's health beside a running container. */
async function checkHealth(container: Container, { port }: Running): Promise<void> {
  const { config } = container
  const [kind, ...check] = config.Healthcheck?.Test ?? []
  expectTrue(kind === 'CMD', 'The image has no check of its health.')
  const [program, ...args] = commandIn(container, check)
  const env = { ...environmentOf(config), PORT: String(port) }
  const { code, output } = await run(program, args, { cwd: tmpdir(), env })
  expectTrue(code === 0, `The check of the health ended with ${code}:\n${output}`)
}

/** Starts the image, visits it and stops it, twice with the same data. */
async function proveContainer(container: Container): Promise<void> {
  const { config } = container
  expectTrue(config.StopSignal === 'SIGTERM', `The image stops by ${config.StopSignal}.`)
  const command = commandIn(container, [...config.Entrypoint, ...config.Cmd])
  const env = { ...environmentOf(config), HOST: '127.0.0.1' }
  for (const turn of ['first', 'second']) {
    const server = await timed(`${turn} start, ready`, () => start({ command, env, cwd: tmpdir() }))
    try {
      await timed('owner signed in, panel loaded, web socket opened', () => visit(server.url))
      await timed('health checked', () => checkHealth(container, server))
      await timed('stopped by SIGTERM with 0', () => stopCleanly(server))
    } finally {
      server.child.kill('SIGKILL')
    }
  }
}

/**
 * Builds the container of a release and runs it.
 *
 * @param given - A release that is built, and a root file system for the base image.
 * @returns Whether everything held, or whether a program for it is missing.
 */
export async function containerProof(
  given: { built?: string | undefined; root?: string | undefined } = {},
): Promise<{ harmless: boolean; skipped: boolean }> {
  const [buildah, debootstrap] = [findProgram('buildah'), findProgram('debootstrap')]
  if (!isRoot || buildah === undefined || debootstrap === undefined) {
    console.log('   skipped: the container needs root, debootstrap and buildah')
    return { harmless: true, skipped: true }
  }
  const folder = mkdtempSync(join(tmpdir(), 'dala-container-proof-'))
  chmodSync(folder, 0o755)
  try {
    const release = given.built ?? join(folder, 'release')
    if (given.built === undefined)
      await timed('release built', () => buildRelease(release, { takesChanges: true, withDebian: false }))
    const archive = readdirSync(release).find((file) => file.endsWith('.tar.gz'))
    expectTrue(archive !== undefined, `There is no archive in ${release}.`)
    const debian = given.root ?? (await makeRoot(folder, 'trixie'))
    expectTrue(debian !== undefined, 'The root file system of Debian is missing.')
    const config = await buildImage(buildah, join(release, archive), debian, folder)
    const container = (await runProgram(buildah, ['from', '--pull-never', names.image])).trim()
    try {
      const root = (await runProgram(buildah, ['mount', container])).trim()
      const data = join(folder, 'data')
      mkdirSync(data)
      await proveContainer({ root, data, config })
    } finally {
      await runProgram(buildah, ['rm', container])
    }
    return { harmless: true, skipped: false }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return { harmless: false, skipped: false }
  } finally {
    await run(buildah, ['rmi', '--force', names.image, names.base])
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { harmless } = await containerProof({ built: folderOf('--built'), root: folderOf('--rootfs') })
  process.exit(harmless ? 0 : 1)
}
