import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../lib/processes.ts'
import { declarationPackages, type LockedPackages, runtimePackages } from './runtime-packages.ts'

const packages: LockedPackages = {
  '': { dependencies: { node: '24' } },
  'node_modules/node': { version: '24.0.0', license: 'MIT', integrity: 'sha512-AA==' },
  'packages/model': { dependencies: {} },
  'packages/server': { dependencies: { '@dala/model': '0.1.0', pg: '8', sharp: '1' } },
  'node_modules/@dala/model': { link: true, resolved: 'packages/model' },
  'node_modules/pg': {
    version: '8.0.0',
    dependencies: { ms: '1', '@types/pg': '1' },
    optionalDependencies: { 'pg-cloud': '1' },
    peerDependencies: { 'pg-native': '1', split: '1' },
    peerDependenciesMeta: { 'pg-native': { optional: true } },
  },
  'node_modules/pg/node_modules/ms': { version: '1.0.0' },
  'node_modules/ms': { version: '2.0.0' },
  'node_modules/@types/pg': { version: '1.0.0' },
  'node_modules/pg-cloud': { version: '1.0.0' },
  'node_modules/pg-native': { version: '1.0.0' },
  'node_modules/split': { version: '1.0.0', dependencies: { ms: '2', shim: '1', 'type-fest': '5' } },
  'node_modules/sharp': { version: '1.0.0', optionalDependencies: { 'sharp-linux': '1', 'sharp-win32': '1' } },
  'node_modules/sharp-linux': { version: '1.0.0', os: ['linux'], cpu: ['x64'] },
  'node_modules/unused': { version: '1.0.0' },
  'node_modules/shim': { name: '@small/shim', version: '3.0.0' },
  'node_modules/type-fest': { version: '5.0.0' },
}
const roots = ['', 'packages/model', 'packages/server']

describe('runtimePackages', () => {
  it('finds needed packages and programs of this system, without types, optional additions and unused ones', () => {
    expect(runtimePackages(packages, roots).map(({ path, version }) => `${path} ${version}`)).toEqual([
      'node_modules/ms 2.0.0',
      'node_modules/node 24.0.0',
      'node_modules/pg 8.0.0',
      'node_modules/pg/node_modules/ms 1.0.0',
      'node_modules/sharp 1.0.0',
      'node_modules/sharp-linux 1.0.0',
      'node_modules/shim 3.0.0',
      'node_modules/split 1.0.0',
    ])
  })

  it('names what a package uses, in the copy that Node finds', () => {
    const [pg] = runtimePackages(packages, roots).filter(({ name }) => name === 'pg')
    expect(pg?.uses).toEqual(['node_modules/pg/node_modules/ms', 'node_modules/split'])
  })

  it('names a package that stands in for another one by its own name', () => {
    expect(runtimePackages(packages, roots).find(({ path }) => path === 'node_modules/shim')?.name).toBe('@small/shim')
  })

  it.each([...declarationPackages])('leaves out %s, which has no file that runs', (name) => {
    const files = readdirSync(join(repositoryRoot, 'node_modules', name), { recursive: true, withFileTypes: true })
    const others = files.filter(
      (file) => file.isFile() && !/^(?:.*\.d\.ts|package\.json|readme.*|licen[cs]e.*)$/i.test(file.name),
    )
    expect(others.map((file) => file.name)).toEqual([])
  })

  it('refuses a needed package that is missing', () => {
    const { 'node_modules/split': removed, ...rest } = packages
    expect(removed).toBeDefined()
    expect(() => runtimePackages(rest, roots)).toThrow('node_modules/pg needs split, which is missing.')
  })
})
