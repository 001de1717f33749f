import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../lib/processes.ts'
import { failuresOf } from './run-vitest.ts'

const fileReport = (status: string, message: string, statuses: readonly string[]) => ({
  name: join(repositoryRoot, 'packages/model/src/places.test.ts'),
  status,
  message,
  assertionResults: statuses.map((testStatus, index) => ({ status: testStatus, fullName: `test ${index}` })),
})

describe('the failures of a test file', () => {
  it('are its failed tests', () => {
    expect(failuresOf(fileReport('failed', '', ['passed', 'failed', 'skipped']))).toEqual(['test 1'])
    expect(failuresOf(fileReport('passed', '', ['passed', 'skipped']))).toEqual([])
  })

  it('are the file and its first line when the file cannot be read', () => {
    expect(failuresOf(fileReport('failed', "Cannot find module './none.ts'\n  at …", []))).toEqual([
      "packages/model/src/places.test.ts: Cannot find module './none.ts'",
    ])
  })

  it('are the file when what runs before its tests failed, so that all of them are skipped', () => {
    expect(failuresOf(fileReport('failed', '', ['skipped', 'skipped']))).toEqual([
      'packages/model/src/places.test.ts: failed before or after its tests',
    ])
  })
})
