/**
 * Makes a fresh clone runnable. Installs the dependencies when they are missing or out of date and, with
 * `--panel`, builds the panel and prepares an empty database when they are stale. Plain JavaScript, because
 * it runs on any Node from 20 on, before the pinned one is installed. Prints nothing when there is nothing to
 * do.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockFile = join(root, 'package-lock.json')
const installStamp = join(root, 'node_modules/.dala-install')
const databaseStamp = join(root, 'node_modules/.cache/dala-database.hash')
const panelFolder = join(root, 'packages/panel')
const panelStamp = join(panelFolder, 'dist/.build-hash')
const windows = process.platform === 'win32'

/** Ends the start of a fresh clone with one sentence, below the output of npm. */
function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/**
 * Lists every file below a path, or the path itself for a file; tests are left out because they do not change
 * the build.
 */
function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((file) => !/\.test(-d)?\.tsx?$/.test(file) && statSync(file).isFile())
    .sort()
}

/** Computes one hash over the paths and contents of files and folders, in a fixed order. */
function hashOf(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesOf)) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/**
 * Whether npm's own record of node_modules holds every version of the lock file:
 * true after a developer's `npm install`, which leaves no stamp of ours.
 */
function installedMatchesLock() {
  const installedLock = readText(join(root, 'node_modules/.package-lock.json'))
  if (installedLock === undefined) return false
  const installedPackages = JSON.parse(installedLock).packages
  const lockedPackages = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
  return lockedPackages.every(
    ([path, entry]) =>
      !path.startsWith('node_modules/') ||
      entry.link ||
      entry.optional ||
      entry.devOptional ||
      installedPackages[path]?.version === entry.version,
  )
}

/**
 * Runs npm on the user's own Node: the pinned one lives inside node_modules,
 * which `npm ci` removes while it works.
 */
function runNpm(args, options) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return spawnSync('npm', args, {
    cwd: root,
    shell: windows,
    env: { ...process.env, PATH: path.join(delimiter) },
    ...options,
  })
}

function installPackages() {
  console.log('Installing the dependencies (about half a minute, once) …')
  const { status } = runNpm(['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0)
    refuse('The dependencies could not be installed: npm ci failed (see above). Check the network and try again.')
}

/** The pinned Node comes from an install script, which npm runs only when it is allowed to. */
function pinnedNodeIsThere() {
  return existsSync(join(root, windows ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node'))
}

function ensureInstalled() {
  const lock = createHash('sha256')
    .update(readFileSync(lockFile))
    .update(process.platform + process.arch)
    .digest('hex')
  if (readText(installStamp) === lock && pinnedNodeIsThere()) return
  if (!installedMatchesLock() || !pinnedNodeIsThere()) installPackages()
  if (!pinnedNodeIsThere()) {
    refuse(
      'The pinned Node is missing: npm did not run the install script of the package "node" (is ignore-scripts set?).',
    )
  }
  writeFileSync(installStamp, lock)
}

function ensurePanelBuilt() {
  if (!existsSync(join(panelFolder, 'index.html'))) return
  const hash = hashOf([
    lockFile,
    join(root, 'tsconfig.base.json'),
    ...['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts', 'build', 'src'].map((name) =>
      join(panelFolder, name),
    ),
    join(root, 'packages/model/src'),
  ])
  if (readText(panelStamp) === hash) return
  console.log('Building the panel …')
  const { status, stdout, stderr } = runNpm(['run', 'build', '-w', 'packages/panel', '--silent'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) refuse(`${stdout ?? ''}${stderr ?? ''}\nThe panel could not be built (see above).`)
  writeFileSync(panelStamp, hash)
}

/**
 * Prepares an empty database for first starts, beside the build of the panel. Resolves when it is complete.
 */
function prepareDatabase() {
  const source = join(root, 'packages/server/src')
  const hash = hashOf([lockFile, join(source, 'db')])
  if (readText(databaseStamp) === hash) return
  const node = join(root, windows ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node')
  const command = join(source, 'commands/prepare-database.ts')
  const runningProcess = spawn(node, [command], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve) => {
    // A first start without the prepared database takes longer and is otherwise the same.
    runningProcess.once('error', resolve)
    runningProcess.once('exit', (code) => {
      if (code === 0) writeFileSync(databaseStamp, hash)
      resolve()
    })
  })
}

ensureInstalled()
if (process.argv.includes('--panel')) {
  const databasePreparation = prepareDatabase()
  ensurePanelBuilt()
  await databasePreparation
}
