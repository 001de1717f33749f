import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { largeFolders } from './folder-sizes.ts'
import { allFiles, importsIn, isInput, openPassedChecks } from './passed-before.ts'

test('counts source files of a folder without tests and subfolders', () => {
  const files = (folder: string, count: number, end = '.ts') =>
    Array.from({ length: count }, (_, index) => `${folder}/${index}${end}`)
  expect(
    largeFolders([
      ...files('a', 26),
      ...files('b', 25),
      ...files('b', 9, '.test.ts'),
      ...files('b', 9, '.spec.ts'),
      ...files('b/c', 20, '.tsx'),
      ...files('b/c', 20, '.css'),
      ...files('d', 90, '.sql'),
    ]),
  ).toEqual([
    { folder: 'b/c', count: 40 },
    { folder: 'a', count: 26 },
  ])
})

test.each([
  ['packages/model/src/index.ts', true],
  ['packages/panel/src/main.tsx', false],
  ['packages/models.ts', false],
  ['package-lock.json', true],
  ['scripts/check.ts', true],
  ['scripts/checks/passed-before.ts', true],
  ['scripts/bench/bench.ts', false],
  ['packages/model/README.md', false],
  ['CHANGELOG.md', false],
])('decides whether %s is an input of a check of the model: %s', (file, isExpected) => {
  expect(isInput(file, ['packages/model'])).toBe(isExpected)
})

test('counts documents as inputs of the format check', () => {
  expect(isInput('docs/glossary.md', [allFiles])).toBe(true)
})

test('remembers a passed check by its inputs, unless they changed during the run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dala-checks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const contents: Record<string, string> = { server: '1', panel: '1' }
  const openChecks = (forget = false) =>
    openPassedChecks({
      forgetsStamps: forget,
      file: join(folder, 'passed.json'),
      read: () => {
        const now = { ...contents }
        return Promise.resolve({
          stampOf: (folders) => folders.map((name) => `${name} ${now[name]}`).join(),
          hashesOf: () => now,
        })
      },
    })

  const firstChecks = await openChecks()
  expect(firstChecks.has('Lint', ['server'])).toBe(false)
  firstChecks.add('Lint', ['server'])
  firstChecks.add('Types', ['server', 'panel'])
  contents['panel'] = '2'
  await firstChecks.save()

  const secondChecks = await openChecks()
  expect(secondChecks.has('Lint', ['server'])).toBe(true)
  expect(secondChecks.has('Types', ['server', 'panel'])).toBe(false)
  expect((await openChecks(true)).has('Lint', ['server'])).toBe(false)
  contents['server'] = '2'
  const thirdChecks = await openChecks()
  expect(thirdChecks.has('Lint', ['server'])).toBe(false)
  thirdChecks.add('Lint', ['server'])
  await thirdChecks.save()
  contents['server'] = '1'
  expect((await openChecks()).has('Lint', ['server'])).toBe(true)
})

test.each<[string, Record<string, string | undefined>, string[] | undefined]>([
  ['a changed source', { 'server/a.ts': '2' }, ['server/a.ts']],
  ['a new source', { 'server/c.ts': '1' }, ['server/c.ts']],
  ['a removed source', { 'server/a.ts': undefined }, ['server/a.ts']],
  ['a changed style sheet', { 'server/a.css': '2' }, []],
  ['a changed package file', { 'server/package.json': '2' }, undefined],
  ['another version of Node', { '': 'v1' }, undefined],
  ['a source that now changes types elsewhere', { 'server/a.ts': '*2' }, undefined],
  ['a source that changed types elsewhere', { 'server/b.ts': '2' }, undefined],
  ['a source of the checks', { 'scripts/checks/a.ts': '2' }, undefined],
])('lists the files to check after %s', async (_change, changes, expectedFiles) => {
  const folder = mkdtempSync(join(tmpdir(), 'dala-checks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let hashes: Record<string, string | undefined> = { '': 'v0', 'server/a.ts': '1', 'server/b.ts': '*1' }
  const openChecks = () =>
    openPassedChecks({
      forgetsStamps: false,
      file: join(folder, 'passed.json'),
      read: () =>
        Promise.resolve({
          stampOf: () => JSON.stringify(hashes),
          hashesOf: () =>
            Object.fromEntries(Object.entries(hashes).flatMap(([file, hash]) => (hash ? [[file, hash]] : []))),
        }),
    })
  const firstChecks = await openChecks()
  expect(firstChecks.changedSince('Lint', ['server'])).toBeUndefined()
  firstChecks.add('Lint', ['server'])
  await firstChecks.save()
  expect((await openChecks()).changedSince('Lint', ['server'])).toEqual([])
  hashes = { ...hashes, ...changes }
  expect((await openChecks()).changedSince('Lint', ['server'])).toEqual(expectedFiles)
})

describe('importsIn', () => {
  it.each([
    ['another file', "import { a } from './a.ts'\na()", "import { a } from './b.ts'\na()"],
    ['a type import', "import { A } from './a.ts'", "import type { A } from './a.ts'"],
    ['a list of several lines', "import {\n  a,\n  b,\n} from './a.ts'", "import {\n  a,\n  b,\n} from './b.ts'"],
    ['an import without names', "import './a.css'", "import './b.css'"],
    ['an import at run time', "await import(\n  './a.ts'\n)", "await import(\n  './b.ts'\n)"],
    ['an export of another file', "export * from './a.ts'", "export * from './b.ts'"],
    ['a required file', "require('./a.cjs')", "require('./b.cjs')"],
    ['a comment before it', "// an import isn't here\nimport './a.ts'", "// an import isn't here\nimport './b.ts'"],
  ])('returns different imports after a change of %s', (_change, formerSource, changedSource) => {
    expect(importsIn(changedSource)).not.toBe(importsIn(formerSource))
  })

  it('returns the same imports after a change of other code', () => {
    const text = "import { a } from './a.ts'\nexport const b = a(1, 'x')"
    expect(importsIn(text.replace("1, 'x'", "2, 'y'"))).toBe(importsIn(text))
  })
})
