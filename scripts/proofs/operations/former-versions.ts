/** Former versions of the program, from the history of the repository. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrations, rollingUpdateOf, versionOf } from '../../../packages/server/src/db/migrate.ts'
import { repositoryRoot, run } from '../../lib/processes.ts'
import { type LockedPackages, runtimePackages } from '../../release/runtime-packages.ts'

const migrationFolder = 'packages/server/src/db/migrations'
const migrateFile = 'packages/server/src/db/migrate.ts'
/** Commits that are looked through for the version before a migration. */
const mostCommits = 2_000

/** The column of declarations; versions that read it stay ready after a migration that declares it. */
const declarationColumn = 'keeps_former'

/** The version of the program before some migrations. */
export interface FormerVersion {
  commit: string
  /** The migrations that it lacks, `NNNN-name`. */
  lacking: string[]
  /** Whether it reads the declarations of later migrations, so that its `/ready` stays 200. */
  staysReady: boolean
}

async function git(...args: string[]): Promise<string> {
  const { code, output } = await run('git', args)
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${output}`)
  return output.trim()
}

/** Returns the hash of each migration of a commit by its file name. */
async function migrationsAt(commit: string): Promise<Map<string, string>> {
  const lines = (await git('ls-tree', commit, `${migrationFolder}/`)).split('\n')
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, hash, file] = /^\S+ blob (\S+)\t(.+\.sql)$/.exec(line) ?? []
      return hash === undefined || file === undefined ? [] : [[file.slice(migrationFolder.length + 1), hash]]
    }),
  )
}

async function readsDeclarations(commit: string): Promise<boolean> {
  const { code } = await run('git', ['grep', '--quiet', declarationColumn, commit, '--', migrateFile])
  return code === 0
}

/**
 * Finds the newest version before each migration beside which the former version may run, as far back as every
 * migration since declares it. A commit counts when this program could have upgraded its database: its migrations
 * are the first ones of this program, unchanged.
 *
 * @returns The versions, the newest first; none without the history of the repository.
 */
export async function findFormerVersions(): Promise<FormerVersion[]> {
  const { code } = await run('git', ['rev-parse', '--verify', 'HEAD~1'])
  if (code !== 0) return []
  const present = await migrationsAt('HEAD')
  const migrations = readMigrations().toReversed()
  const lastRefusal = migrations.findIndex((migration) => rollingUpdateOf(migration).state !== 'yes')
  const declared = (lastRefusal < 0 ? migrations : migrations.slice(0, lastRefusal)).map(versionOf)
  const commits = (await git('log', '--first-parent', `--max-count=${mostCommits}`, '--format=%H')).split('\n')
  const versions: FormerVersion[] = []
  for (const commit of commits) {
    const found = await migrationsAt(commit)
    const lacking = [...present.keys()].filter((file) => !found.has(file)).map((file) => file.replace(/\.sql$/, ''))
    if (lacking.some((name) => !declared.includes(name))) break
    const isUpgradable = [...found].every(([file, hash]) => present.get(file) === hash)
    if (isUpgradable && lacking.length > (versions.at(-1)?.lacking.length ?? 0))
      versions.push({ commit, lacking, staysReady: await readsDeclarations(commit) })
  }
  return versions
}

/**
 * Finds the packages that a version of the server needs at run time and that are not installed in its version.
 *
 * @param locked - The packages in the lock file of the version.
 * @param installed - The installed packages, from the lock file that npm keeps of them.
 * @returns The packages, `pg 8.1.0`. Optional ones that npm left out, for other systems, do not count.
 */
export function otherPackages(locked: LockedPackages, installed: LockedPackages): string[] {
  return runtimePackages(locked, ['packages/server'])
    .filter(({ path, version }) => installed[path]?.version !== version)
    .filter(({ path }) => installed[path] !== undefined || locked[path]?.optional !== true)
    .map(({ name, version }) => `${name} ${version}`)
}

const packagesIn = (lockFile: string) => (JSON.parse(lockFile) as { packages: LockedPackages }).packages

/** Uses the installed packages of this version for another one in a folder. */
function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@dala'), { recursive: true })
  for (const name of readdirSync(join(repositoryRoot, 'node_modules')))
    if (name !== '@dala') symlinkSync(join(repositoryRoot, 'node_modules', name), join(packages, name))
  for (const name of ['model', 'server']) symlinkSync(join(folder, 'packages', name), join(packages, '@dala', name))
}

/**
 * Unpacks a version of the program into an empty folder, with the installed packages of this one, or with its own
 * ones where they differ.
 *
 * @returns Packages that the version needs in another version and that could not be installed.
 */
export async function unpackVersion(commit: string, folder: string): Promise<string[]> {
  const installed = readFileSync(join(repositoryRoot, 'node_modules/.package-lock.json'), 'utf8')
  const others = otherPackages(packagesIn(await git('show', `${commit}:package-lock.json`)), packagesIn(installed))
  const archive = join(folder, 'version.tar')
  const files = ['package.json', 'package-lock.json', 'packages', 'clients/package.json', 'e2e/package.json']
  await git('archive', `--output=${archive}`, commit, ...files)
  const unpacked = await run('tar', ['-xf', archive, '-C', folder])
  if (unpacked.code !== 0) throw new Error(`The version ${commit} was not unpacked: ${unpacked.output}`)
  if (others.length === 0) {
    linkPackages(folder)
    return []
  }
  const { code } = await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  })
  return code === 0 ? [] : others
}
