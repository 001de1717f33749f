/**
 * Weighs the built panel: what each lazy screen adds to the sign-in form and the first list, whose own weight
 * `e2e/first-visit.spec.ts` measures in a browser. Fails above the limit, so that growth is a decision and
 * not an accident.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

const screenLimit = 130
const distFolder = join(repositoryRoot, 'packages/panel/dist')

interface ManifestChunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
}
type Manifest = Record<string, ManifestChunk>

/**
 * Returns whether a chunk loads before any lazy screen: the panel with its first list, and what every list
 * loads when idle.
 */
const isPanel = (key: string) => /^_(panel|extras|work)-/.test(key)

function collectStaticImports(manifest: Manifest, keys: readonly string[]): Set<string> {
  const foundKeys = new Set<string>()
  const queue = [...keys]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (foundKeys.has(key)) continue
    foundKeys.add(key)
    queue.push(...(manifest[key]?.imports ?? []))
  }
  return foundKeys
}

function kilobytesOf(manifest: Manifest, keys: Iterable<string>): number {
  const files = new Set([...keys].map((key) => manifest[key]?.file).filter((file) => file?.endsWith('.js')))
  let bytes = 0
  for (const file of files) if (file !== undefined) bytes += statSync(join(distFolder, `${file}.br`)).size
  return bytes / 1024
}

/**
 * Finds files of the build that import each other in a circle: one of them would run before its imports are
 * ready.
 */
function findImportCycles(manifest: Manifest): string[] {
  return Object.keys(manifest).filter((key) =>
    (manifest[key]?.imports ?? []).some((importedKey) => collectStaticImports(manifest, [importedKey]).has(key)),
  )
}

/**
 * Prints the sizes of the built screens.
 *
 * @returns Whether all are within the limits.
 */
export function weighBundle(): boolean {
  const manifestFile = join(distFolder, '.vite/manifest.json')
  if (!existsSync(manifestFile)) {
    console.log(
      'The panel is not built: packages/panel/dist/.vite/manifest.json is missing (vite needs build.manifest).',
    )
    return false
  }
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const lazyChunks = [...new Set(Object.values(manifest).flatMap((chunk) => chunk.dynamicImports ?? []))].sort()
  const firstChunks = collectStaticImports(manifest, [...entries, ...Object.keys(manifest).filter(isPanel)])
  const importCircles = findImportCycles(manifest)
  if (importCircles.length > 0) console.log(`   Files that import each other in a circle: ${importCircles.join(', ')}`)
  let withinLimits = importCircles.length === 0
  for (const key of lazyChunks) {
    const addedChunks = [...collectStaticImports(manifest, [key])].filter((chunkKey) => !firstChunks.has(chunkKey))
    const weight = kilobytesOf(manifest, addedChunks)
    if (weight > screenLimit) withinLimits = false
    if (weight > 0)
      console.log(
        `   + ${weight.toFixed(1).padStart(6)} KB  ${key}${weight > screenLimit ? `  OVER ${screenLimit}` : ''}`,
      )
  }
  return withinLimits
}

export const bundleSizeStep: Step = {
  name: 'Weight of the built panel',
  run: () => Promise.resolve(weighBundle() ? passedTally : failedTally),
}

if (import.meta.main) process.exit(weighBundle() ? 0 : 1)
