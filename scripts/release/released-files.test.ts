import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { startFlags } from '../lib/start-flags.ts'
import { commandEntry, isReleased, missingFiles } from './released-files.ts'

describe('isReleased', () => {
  it.each([
    'CHANGELOG.md',
    'LICENSE',
    'packages/server/package.json',
    'packages/server/allocator.mjs',
    'packages/server/src/main.ts',
    'packages/server/src/db/migrations/0001-start.sql',
    'packages/server/src/seed/data/reference.json',
    'packages/model/src/labels/kaa.json',
    'docs/guide/kaa/prices.md',
    'docs/guide/pictures/kaa/prices.webp',
  ])('releases %s', (file) => {
    expect(isReleased(file)).toBe(true)
  })

  it.each([
    'package.json',
    'docs/screens.md',
    'packages/server/vitest.config.ts',
    'packages/server/src/app.test.ts',
    'packages/server/src/testing/app.ts',
    'packages/server/src/contract/access.test.ts',
    'packages/model/src/types.test-d.ts',
    'packages/panel/src/main.tsx',
    'scripts/check.ts',
    'e2e/sign-in.ts',
  ])('leaves out %s', (file) => {
    expect(isReleased(file)).toBe(false)
  })

  it('releases every file that a released file imports', async () => {
    const files = (await listFiles()).filter(isReleased)
    const present = new Set(files)
    const missing = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(/(?:from|import\() ?'(\.{1,2}\/[^']+)'/gu)]
          .map(([, path = '']) => normalize(join(dirname(file), path)))
          .filter((path) => !present.has(path))
          .map((path) => `${file} imports ${path}`),
      )
    expect(missing).toEqual([])
  })
})

describe('missingFiles', () => {
  const needed = [
    'CHANGELOG.md',
    'LICENSE',
    'packages/model/package.json',
    'packages/server/package.json',
    'packages/server/allocator.mjs',
    'packages/server/compile-cache.mjs',
    commandEntry,
  ]

  it('finds nothing when the launcher has everything that it starts', () => {
    expect(missingFiles(needed, startFlags.modules)).toEqual([])
  })

  it('names a missing entry, and a module of npm start that is not released', () => {
    const files = needed.filter((file) => file !== commandEntry)
    expect(missingFiles([...files, 'scripts/other.mjs'], ['scripts/other.mjs'])).toEqual([
      commandEntry,
      'scripts/other.mjs',
    ])
  })
})
