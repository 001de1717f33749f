/**
 * Weighs the built panel: the JavaScript a first visit to a list loads, and what each screen adds to it.
 * Fails above the limits, so that growth is a decision and not an accident.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { repositoryRoot } from './processes.ts'
import { failedOne, passedOne, type Step } from './step.ts'

const firstLoadLimit = 220
const screenLimit = 130
const distFolder = join(repositoryRoot, 'packages/panel/dist')

interface ManifestChunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
}
type Manifest = Record<string, ManifestChunk>

/** Lazy chunks of a first visit besides the entry: sign-in, shell, the list of consultants, and one catalogue. */
const firstScreens = [/user\/(login-screen|user-layout)/, /resource\/list-screen/, /people\/lists/, /catalogue\/ru$/]

function withStaticImports(manifest: Manifest, keys: readonly string[]): Set<string> {
  const found = new Set<string>()
  const queue = [...keys]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (found.has(key)) continue
    found.add(key)
    queue.push(...(manifest[key]?.imports ?? []))
  }
  return found
}

function kilobytesOf(manifest: Manifest, keys: Iterable<string>): number {
  const files = new Set([...keys].map((key) => manifest[key]?.file).filter((file) => file?.endsWith('.js')))
  let bytes = 0
  for (const file of files)
    if (file !== undefined) bytes += gzipSync(readFileSync(join(distFolder, file)), { level: 9 }).length
  return bytes / 1024
}

/** Prints the weights; answers whether all are within the limits. */
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
  const lazy = [...new Set(Object.values(manifest).flatMap((chunk) => chunk.dynamicImports ?? []))].sort()
  const first = withStaticImports(manifest, [
    ...entries,
    ...lazy.filter((key) => firstScreens.some((name) => name.test(key))),
  ])
  const firstLoad = kilobytesOf(manifest, first)
  console.log(`   first load ${firstLoad.toFixed(1)} KB gzip of JavaScript (limit ${firstLoadLimit})`)
  let withinLimits = firstLoad <= firstLoadLimit
  for (const key of lazy) {
    const added = [...withStaticImports(manifest, [key])].filter((part) => !first.has(part))
    const weight = kilobytesOf(manifest, added)
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
  run: () => Promise.resolve(weighBundle() ? passedOne : failedOne),
}

if (import.meta.main) process.exit(weighBundle() ? 0 : 1)
