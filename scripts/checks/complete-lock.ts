/**
 * Completes package-lock.json for other systems. npm writes no record for an optional package that could not
 * be looked up when the lock was made (a binary for another system), and `npm ci` then refuses the whole
 * file. With `--check` it only reports what is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'

interface LockEntry {
  version?: string
  cpu?: string[]
  os?: string[]
  libc?: string[]
  dev?: boolean
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

interface LockFile {
  packages: Record<string, LockEntry>
}

const systems = ['darwin', 'linux', 'win32', 'freebsd', 'netbsd', 'openbsd', 'android', 'openharmony', 'sunos', 'aix']
const processors = [
  'x64',
  'arm64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
  'universal',
]

/**
 * System and processor as the names of binary packages spell them: `binding-linux-arm64-musl`, `freebsd-x64`.
 */
function platformOf(name: string): Pick<LockEntry, 'cpu' | 'os' | 'libc'> {
  const nameParts = name.slice(name.indexOf('/') + 1).split(/[-_.]/)
  const os = systems.find((system) => nameParts.includes(system))
  const cpu = processors.find((processor) => nameParts.includes(processor))
  const libc = nameParts.some((namePart) => namePart.startsWith('musl'))
    ? 'musl'
    : nameParts.some((namePart) => namePart.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return {
    ...(cpu && cpu !== 'universal' && { cpu: [cpu] }),
    ...(os && { os: [os] }),
    ...(libc && os === 'linux' && { libc: [libc] }),
  }
}

/** Returns whether Node would find a package from a folder, nearest first, as npm does. */
function isLocked(packages: LockFile['packages'], startFolder: string, name: string): boolean {
  const folders = startFolder
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'))
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].some(
    (path) => path in packages,
  )
}

/** Entries that the lock file lacks, by path. Only exact versions count, which binary packages ask for. */
export function missingEntries(lock: LockFile): Record<string, LockEntry> {
  const missingLocks: Record<string, LockEntry> = {}
  for (const [packageFolder, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name)
      if (isLocked(lock.packages, packageFolder, name) || !/^\d+\.\d+\.\d+/.test(version) || !platform.cpu) continue
      const nestedVersion =
        `node_modules/${name}` in missingLocks && missingLocks[`node_modules/${name}`]?.version !== version
      missingLocks[nestedVersion ? `${packageFolder}/node_modules/${name}` : `node_modules/${name}`] = {
        version,
        ...(platform.cpu && { cpu: platform.cpu }),
        ...(entry.dev && { dev: true }),
        ...(platform.libc && { libc: platform.libc }),
        optional: true,
        ...(platform.os && { os: platform.os }),
      }
    }
  }
  return missingLocks
}

if (import.meta.main) {
  const file = join(repositoryRoot, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile
  const missingLocks = missingEntries(lock)
  const names = Object.keys(missingLocks)
  if (process.argv.includes('--check')) {
    if (names.length > 0) {
      console.error(`package-lock.json lacks ${names.length} packages of other systems, so npm ci would refuse it:`)
      for (const name of names) console.error(`  ${name}`)
      console.error('Run `npm run lock` and commit the file.')
      process.exit(1)
    }
  } else if (names.length > 0) {
    const [rootEntry = ['', {}], ...otherEntries] = Object.entries({ ...lock.packages, ...missingLocks }).sort(
      ([a], [b]) => a.localeCompare(b, 'en'),
    )
    lock.packages = Object.fromEntries([rootEntry, ...otherEntries])
    writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`)
    console.log(`package-lock.json: ${names.length} packages of other systems added.`)
  }
}
