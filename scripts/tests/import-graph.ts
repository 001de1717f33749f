/** The imports between files of the repository, read from their text. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'

/** Folders of packages that code imports by name. */
const importedPackages = ['packages/model', 'packages/server']

interface PackageFile {
  name: string
  exports: Readonly<Record<string, string>>
}

/** The names by which code imports the exports of packages, as patterns, and the files behind them. */
const packageEntries = importedPackages.flatMap((folder): [name: RegExp, path: string][] => {
  const { name, exports } = JSON.parse(
    readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8'),
  ) as PackageFile
  return Object.entries(exports).map(([entry, file]) => [
    new RegExp(`^${join(name, entry).replaceAll('\\', '/').replaceAll('.', '\\.').replace('*', '(.+)')}$`),
    join(folder, file).replaceAll('\\', '/').replace('*', '$1'),
  ])
})

/**
 * Pattern of an import: `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`, `vi.mock('x')`
 * and `new URL('x', …)`.
 */
const specifiers = /(?:\bfrom|\bimport|\bimport\(|\bmock\(|\bnew URL\()\s*['"]([^'"\n]+)['"]/g

/**
 * Lists the files of the repository that a text imports.
 *
 * @param text The source.
 * @param file Path of the source from the root.
 * @returns Paths from the root; packages from outside are left out.
 */
export function importsIn(text: string, file: string): string[] {
  return [...text.matchAll(specifiers)].flatMap(([, specifier = '']) => {
    const name = specifier.replace(/\?.*$/, '')
    if (name.startsWith('.')) return [join(dirname(file), name).replaceAll('\\', '/')]
    return packageEntries.flatMap(([door, path]) => (door.test(name) ? [name.replace(door, path)] : []))
  })
}

/** Importing files by the path of the imported file. */
export type Importers = ReadonlyMap<string, readonly string[]>

/**
 * Reads which files import each file.
 *
 * @param root Folder the paths start from.
 * @param files Paths of sources.
 * @returns For each imported file its importers.
 */
export function readImporters(root: string, files: readonly string[]): Importers {
  const importers = new Map<string, string[]>()
  for (const file of files) {
    const path = join(root, file)
    if (!existsSync(path)) continue
    for (const importedFile of new Set(importsIn(readFileSync(path, 'utf8'), file))) {
      const knownImporters = importers.get(importedFile)
      if (knownImporters) knownImporters.push(file)
      else importers.set(importedFile, [file])
    }
  }
  return importers
}

/** Reads the importers of every source file of the repository. */
export async function readRepositoryImporters(): Promise<Importers> {
  return readImporters(
    repositoryRoot,
    (await listFiles()).filter((file) => /\.(tsx?|mjs)$/.test(file)),
  )
}

/**
 * Follows imports backwards from changed files.
 *
 * @param importers For each file its importers.
 * @param changedFiles Paths of the changed files.
 * @returns For each file that depends on a changed one, the number of imports between them; 0 for a changed
 *   file.
 */
export function measureDistances(importers: Importers, changedFiles: readonly string[]): Map<string, number> {
  const distances = new Map(changedFiles.map((file) => [file, 0]))
  const queue = [...changedFiles]
  for (const file of queue) {
    const measureDistance = (distances.get(file) ?? 0) + 1
    for (const importer of importers.get(file) ?? []) {
      if (distances.has(importer)) continue
      distances.set(importer, measureDistance)
      queue.push(importer)
    }
  }
  return distances
}
