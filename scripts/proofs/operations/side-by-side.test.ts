import { describe, expect, it } from 'vitest'
import type { LockedPackages } from '../../release/runtime-packages.ts'
import { otherPackages } from './former-versions.ts'
import { outcomeOf } from './side-by-side.ts'

const locked: LockedPackages = {
  'packages/server': { dependencies: { pg: '8', sharp: '1' } },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/sharp': { version: '1.0.0', optionalDependencies: { 'sharp-linux': '1', 'sharp-win32': '1' } },
  'node_modules/sharp-linux': { version: '1.0.0', os: ['linux'], optional: true },
  'node_modules/sharp-win32': { version: '1.0.0', os: ['win32'], optional: true },
  'node_modules/vitest': { version: '5.0.0' },
}
const { 'node_modules/sharp-win32': _other, ...installed } = locked

describe('the packages of a former version', () => {
  it('are those that its server needs, whatever else is installed', () => {
    const changed = {
      ...installed,
      'node_modules/vitest': { version: '5.1.0' },
      'node_modules/saxes': { version: '6.0.0' },
    }
    expect(otherPackages(locked, changed)).toEqual([])
  })

  it.each([
    { name: 'has another version', changed: { ...installed, 'node_modules/pg': { version: '8.1.0' } } },
    { name: 'is not installed', changed: { 'node_modules/sharp': { version: '1.0.0' } } },
  ])('name one that $name', ({ changed }) => {
    expect(otherPackages(locked, changed)).toContain('pg 8.0.0')
  })
})

describe('the outcome of all former versions', () => {
  it.each([
    { results: ['harmless', 'skipped'], outcome: { harmless: true, skipped: false } },
    { results: ['harmless', 'harmful'], outcome: { harmless: false, skipped: false } },
    { results: ['skipped', 'skipped'], outcome: { harmless: true, skipped: true } },
    { results: [], outcome: { harmless: true, skipped: true } },
  ] as const)('is $outcome of $results', ({ results, outcome }) => {
    expect(outcomeOf(results)).toEqual(outcome)
  })
})
