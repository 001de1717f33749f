import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../lib/processes.ts'
import { declarationPackages, keySearchPackages, type LockedPackages, runtimePackages } from './runtime-packages.ts'

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

/** A program that asks an object store for its files, in which the packages that search for a key are missing. */
const storeProgram = `
import { createServer } from 'node:http'
import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    if (${JSON.stringify([...keySearchPackages])}.includes(name)) throw new Error(name + ' is missing')
    return next(name, context)
  },
})
const { ListObjectsV2Command, S3Client } = await import('@aws-sdk/client-s3')
const { S3Store } = await import('@tus/s3-store')
const { objectClientOptions } = await import('./packages/server/src/domain/files/object-client.ts')
const store = createServer((request, answer) => {
  process.stdout.write(request.headers.authorization)
  answer.end('<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>')
})
await new Promise((resolve) => store.listen(0, '127.0.0.1', resolve))
const endpoint = 'http://127.0.0.1:' + store.address().port
const options = objectClientOptions({ endpoint, bucket: 'b', region: 'r', accessKeyId: 'key', secretAccessKey: 'secret' })
await new S3Client(options).send(new ListObjectsV2Command({ Bucket: 'b' }))
await new S3Store({ s3ClientConfig: { bucket: 'b', ...options } }).client.listObjectsV2({ Bucket: 'b' })
process.exit(0)
`

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

  it('leaves out what searches for the key of an object store, which the settings name', () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', storeProgram], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    })
    expect(output.match(/AWS4-HMAC-SHA256 Credential=key\//g)).toHaveLength(2)
    for (const name of keySearchPackages)
      expect(readdirSync(join(repositoryRoot, 'node_modules', name))).not.toEqual([])
  })

  it('refuses a needed package that is missing', () => {
    const { 'node_modules/split': removed, ...rest } = packages
    expect(removed).toBeDefined()
    expect(() => runtimePackages(rest, roots)).toThrow('node_modules/pg needs split, which is missing.')
  })
})
