/** The packages whose code, styles and fonts are in the built panel. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import type { LicensedPackage } from './licences.ts'

/** The list that the build of the panel writes; it is taken out of the release. */
export const bundledLicences = '.vite/licenses.json'

const panelFolder = join(repositoryRoot, 'packages/panel')

/** A package in the list of the build. */
interface BundledPackage {
  name: string
  version: string
  identifier: string | null
  text?: string | null
}

/**
 * Finds the packages of which a file takes styles: the list of the build names only those with code.
 *
 * @param text - The text of a style sheet or of a module.
 * @returns The names of the packages.
 */
export function stylePackages(text: string): string[] {
  const imports = text.matchAll(/(?:@import|^import)\s+['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^'"]*)?['"]/gmu)
  return [...new Set([...imports].flatMap(([, name]) => (name === undefined ? [] : [name])))]
}

/**
 * Returns the packages in the built panel.
 *
 * @param readInstalled - Reads the licence of an installed package.
 * @throws When the panel is not built.
 */
export function panelPackages(readInstalled: (name: string) => LicensedPackage): LicensedPackage[] {
  const list = join(panelFolder, 'dist', bundledLicences)
  if (!existsSync(list)) throw new Error('The panel is not built: run npm run release, which builds it.')
  const bundled = JSON.parse(readFileSync(list, 'utf8')) as BundledPackage[]
  const withCode = bundled.map(({ name, version, identifier, text }) => ({
    name,
    version,
    licence: identifier ?? undefined,
    texts: text ? [text] : [],
  }))
  const names = new Set(withCode.map(({ name }) => name))
  const styled = readdirSync(join(panelFolder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.d)\.(?:css|tsx?)$/u.test(file))
    .flatMap((file) => stylePackages(readFileSync(join(panelFolder, 'src', file), 'utf8')))
  const withStyles = [...new Set(styled)].filter((name) => !names.has(name) && !name.startsWith('@dala/'))
  return [...withCode, ...withStyles.map(readInstalled)]
}
