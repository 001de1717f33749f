/**
 * Boots systemd in a root file system of Debian, as the first process of namespaces of its own, and runs the service of
 * the Debian package there. The network is that of this machine.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, run } from '../../lib/processes.ts'
import { ownerEmail, trialPassword } from '../../lib/server-process.ts'
import { expectTrue, limits, runProgram, send, signInOwner, timed, visit } from './steps.ts'

/** Packages that a root file system needs besides the smallest one to be booted. */
export const bootPackages = ['systemd', 'systemd-sysv', 'dbus'] as const

/** Mounts what a container of systemd has, and becomes its first process. */
const bootScript = `set -e
mount --bind "$0" "$0"
cd "$0"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
  touch dev/$name
  mount --bind /dev/$name dev/$name
done
mkdir dev/pts dev/shm
ln -s /proc/self/fd dev/fd
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
# No chroot: the service could not make a namespace of users in one.
pivot_root . .
umount -l .
cd /
exec env -i container=dala PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd`
const namespaces = ['--mount', '--pid', '--cgroup', '--uts', '--ipc'] as const

/** A booted system. */
interface BootedSystem {
  /** Runs a program of the system, which must succeed, and returns its output. */
  run: (...command: string[]) => Promise<string>
  end: () => Promise<void>
}

/** Boots a root file system, and waits until its services have started. */
async function boot(root: string): Promise<BootedSystem> {
  const child = spawn('unshare', [...namespaces, '--fork', '--kill-child', 'sh', '-c', bootScript, root], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const firstProcess = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0] ?? ''
  const enter = (command: readonly string[]) => {
    const place = ['--target', firstProcess(), ...namespaces, '--root', '--wd=/', '--']
    return place.concat(command)
  }
  const end = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const deadline = performance.now() + limits.start
  while (performance.now() < deadline && child.exitCode === null) {
    // The state has the exit code 1 until everything has started.
    const state = (await run('nsenter', enter(['systemctl', 'is-system-running']), { cwd: tmpdir() })).output.trim()
    if (state === 'running') return { run: (...command) => runProgram('nsenter', enter(command)), end }
    expectTrue(state !== 'degraded', 'A service of the booted system failed.')
    await pause(100)
  }
  await end()
  throw new Error(`systemd did not boot:\n${output}`)
}

/** Waits until the service answers that it is ready. */
async function waitUntilReady(system: BootedSystem, url: string): Promise<void> {
  const deadline = performance.now() + limits.start
  while ((await send(`${url}/ready`).catch(() => undefined))?.status !== 200) {
    if (performance.now() > deadline)
      throw new Error(`The service was not ready:\n${await system.run('journalctl', '--unit=dala', '--no-pager')}`)
    await pause(100)
  }
}

/** Reads properties of the service. */
async function readService(system: BootedSystem): Promise<ReadonlyMap<string, string>> {
  const properties = '--property=ActiveState,Result,ExecMainStatus,ExecMainCode,MainPID,NRestarts'
  const lines = (await system.run('systemctl', 'show', 'dala', properties)).trim().split('\n')
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/**
 * Proves the service in a booted system: installed without being started, started with the settings of an
 * administrator, restarted after its death, started again by an upgrade with the same data, and stopped.
 *
 * @param root - A root file system with `bootPackages`; `/older.deb` and `/dala.deb` in it are two versions.
 */
export async function proveService(root: string): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const system = await timed('systemd booted', () => boot(root))
  try {
    await timed('older Debian package installed beside systemd', () =>
      system.run('dpkg', '--force-unsafe-io', '--install', '/older.deb'),
    )
    expectTrue((await readService(system)).get('ActiveState') === 'inactive', 'The first start did not wait.')
    const settings = join(root, 'etc/default/dala')
    const own = { OWNER_EMAIL: ownerEmail, OWNER_PASSWORD: trialPassword, PORT: String(port), VIDEO_CHECKS: 'off' }
    const lines = Object.entries(own).map(([name, value]) => `${name}='${value}'`)
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}\n${lines.join('\n')}\n`)
    await timed('service started by systemd, ready', async () => {
      await system.run('systemctl', 'start', 'dala')
      await waitUntilReady(system, url)
    })
    await timed('owner signed in, panel loaded, web socket opened', () => visit(url))
    const first = await readService(system)
    const rights = await system.run(
      'grep',
      '-E',
      '^(Uid|CapEff|NoNewPrivs|Seccomp):',
      `/proc/${first.get('MainPID')}/status`,
    )
    const user = (await system.run('id', '-u', 'dala')).trim()
    expectTrue(new RegExp(`^Uid:\\s${user}\\s`, 'mu').test(rights), 'The service does not run as the user dala.')
    expectTrue(/^CapEff:\s0+$/mu.test(rights), 'The service has capabilities.')
    expectTrue(/^NoNewPrivs:\s1$/mu.test(rights) && /^Seccomp:\s2$/mu.test(rights), 'The service has no filter.')
    await timed('killed, and started again by systemd', async () => {
      await system.run('systemctl', 'kill', '--signal=SIGKILL', '--kill-whom=main', 'dala')
      const deadline = performance.now() + limits.start
      while ((await readService(system)).get('NRestarts') === '0') {
        expectTrue(performance.now() < deadline, 'systemd did not start the service again.')
        await pause(100)
      }
      await waitUntilReady(system, url)
    })
    const before = (await readService(system)).get('MainPID')
    await timed('upgraded while it ran, started again and ready', async () => {
      await system.run('dpkg', '--force-unsafe-io', '--install', '/dala.deb')
      await waitUntilReady(system, url)
    })
    expectTrue((await readService(system)).get('MainPID') !== before, 'The upgrade left the older program running.')
    await signInOwner(url)
    await timed('stopped by systemd with 0', async () => {
      await system.run('systemctl', 'stop', 'dala')
      const stopped = await readService(system)
      expectTrue(
        stopped.get('Result') === 'success' && stopped.get('ExecMainStatus') === '0',
        `The service stopped with ${stopped.get('Result')}, ${stopped.get('ExecMainStatus')}.`,
      )
    })
    await timed('purged', () => system.run('dpkg', '--purge', 'dala'))
  } finally {
    await system.end()
  }
}
