import { expect, it } from 'vitest'
import { type Component, sbomOf } from './sbom.ts'

const program = { name: 'dala', version: '0.1.0' }
const time = '2026-01-02T03:04:05.000Z'
const pg: Component = {
  name: 'pg',
  version: '8.0.0',
  licence: 'MIT',
  integrity: `sha512-${Buffer.from('pg').toString('base64')}`,
  uses: ['pkg:npm/ms@2.0.0'],
}
const scoped: Component = {
  name: '@aws/core',
  version: '1.0.0',
  licence: '(MIT OR ISC)',
  integrity: undefined,
  uses: [],
}

it('describes components with licences, checksums and uses, and without addresses of a registry', () => {
  const { components, dependencies } = sbomOf(program, [pg, scoped, { ...pg, integrity: undefined, uses: [] }], time)
  expect(components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40aws/core@1.0.0',
      name: '@aws/core',
      version: '1.0.0',
      purl: 'pkg:npm/%40aws/core@1.0.0',
      licenses: [{ expression: '(MIT OR ISC)' }],
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/pg@8.0.0',
      name: 'pg',
      version: '8.0.0',
      purl: 'pkg:npm/pg@8.0.0',
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: Buffer.from('pg').toString('hex') }],
    },
  ])
  expect(dependencies[2]).toEqual({ ref: 'pkg:npm/pg@8.0.0', dependsOn: ['pkg:npm/ms@2.0.0'] })
})

it('gives the same text for the same components in another order', () => {
  expect(JSON.stringify(sbomOf(program, [pg, scoped], time))).toBe(JSON.stringify(sbomOf(program, [scoped, pg], time)))
})
