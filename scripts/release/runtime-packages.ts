/** The installed packages that the server needs at run time. */

/** A package in the lock file of npm. */
interface LockedPackage {
  /** Name of a package that stands in for another one, in whose folder it is. */
  name?: string
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  /** Whether npm may leave it out, as the programs of other systems. */
  optional?: boolean
  resolved?: string
  os?: readonly string[]
  cpu?: readonly string[]
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

/** Packages by their folder, `node_modules/pg`; the repository itself is the empty path. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

/** A package of a release with the packages that it uses. */
export interface RuntimePackage {
  name: string
  version: string
  /** Its folder below the root. */
  path: string
  licence: string | undefined
  integrity: string | undefined
  /** Folders of the packages that it uses. */
  uses: readonly string[]
}

const folderOfModules = 'node_modules/'

/** Returns the name of a package from its folder. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf(folderOfModules) + folderOfModules.length)

/** Returns the folder in which Node finds a package, searching from another package upwards. */
function findFolder(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ;) {
    const path = `${folder === '' ? '' : `${folder}/`}${folderOfModules}${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
    const parentEnd = folder.lastIndexOf(folderOfModules)
    folder = parentEnd <= 0 ? '' : folder.slice(0, parentEnd - 1)
  }
}

/** Packages that only contain declarations of types although others need them at run time. */
export const declarationPackages: ReadonlySet<string> = new Set(['tagged-tag', 'type-fest'])
/** Packages of types have no file that runs. */
const isForTypes = (name: string) => name.startsWith('@types/') || declarationPackages.has(name)
/**
 * Packages that look for the key of an object store in files and services of Amazon's own machines. The settings name
 * the key, and the S3 client loads these packages only without one.
 */
export const keySearchPackages: ReadonlySet<string> = new Set([
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/nested-clients',
  '@aws-sdk/token-providers',
  '@smithy/credential-provider-imds',
])
const isNeverLoaded = (name: string) => isForTypes(name) || keySearchPackages.has(name)
/** Optional packages for one system are its programs; all others are additions that nothing here uses. */
const isForThisSystem = ({ os, cpu }: LockedPackage) => os !== undefined || cpu !== undefined

/** Returns the folders of the packages that a package uses at run time. */
function usedFolders(packages: LockedPackages, path: string): string[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = packages[path] ?? {}
  const needed = [
    ...Object.keys(dependencies),
    ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true),
  ].filter((name) => !(name in optionalDependencies) && !isNeverLoaded(name))
  const neededFolders = needed.map((name) => {
    const folder = findFolder(packages, path, name)
    if (folder === undefined)
      throw new Error(`${path === '' ? 'The repository' : path} needs ${name}, which is missing.`)
    return folder
  })
  const optionalFolders = Object.keys(optionalDependencies).flatMap((name) => {
    const folder = findFolder(packages, path, name)
    return folder !== undefined && isForThisSystem(packages[folder] ?? {}) ? [folder] : []
  })
  return [...new Set([...neededFolders, ...optionalFolders])].toSorted()
}

/**
 * Finds the packages that others need at run time: no packages of types, none that search for a key which the settings
 * name, and no optional ones except those for one system.
 *
 * @param packages - The installed packages.
 * @param roots - Folders of the packages that a release is made for.
 * @returns Every needed package of others, by its folder; packages of this repository are left out.
 * @throws When a needed package is missing.
 */
export function runtimePackages(packages: LockedPackages, roots: readonly string[]): RuntimePackage[] {
  const found = new Map<string, readonly string[]>()
  const pending = [...roots]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path)) continue
    const { link, resolved } = packages[path] ?? {}
    const uses = link === true && resolved !== undefined ? [resolved] : usedFolders(packages, path)
    found.set(path, uses)
    pending.push(...uses)
  }
  return [...found]
    .filter(([path]) => path.includes(folderOfModules) && packages[path]?.link !== true)
    .map(([path, uses]) => ({
      name: packages[path]?.name ?? nameOf(path),
      version: packages[path]?.version ?? '',
      path,
      licence: packages[path]?.license,
      integrity: packages[path]?.integrity,
      uses,
    }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}
