import { describe, expect, it } from 'vitest'
import { chooseTests } from './choose-tests.ts'
import { findTests } from './find-tests.ts'
import { mergeTimes, secondsIn } from './test-times.ts'

const folder = 'packages/server/src/resources'
/**
 * Import graph of the test: `read.ts` is imported by its test, by another test of its folder, and by the app,
 * which most tests import.
 */
const importers = new Map([
  [
    `${folder}/read.ts`,
    [
      `${folder}/read.test.ts`,
      `${folder}/sort.test.ts`,
      'packages/server/src/app.ts',
      'packages/server/src/far.test.ts',
    ],
  ],
  [
    'packages/server/src/app.ts',
    [
      'packages/server/src/slow.test.ts',
      'packages/server/src/main.test.ts',
      'packages/server/src/two.postgres.test.ts',
    ],
  ],
])
const seconds: Record<string, number> = { 'packages/server/src/slow.test.ts': 90 }
const secondsOf = (file: string) => seconds[file] ?? 5

describe('chooseTests', () => {
  it('chooses the nearest tests first, as many as the time allows, and names the rest', () => {
    expect(chooseTests([`${folder}/read.ts`], importers, secondsOf, 22)).toEqual({
      chosen: [
        `${folder}/read.test.ts`,
        `${folder}/sort.test.ts`,
        'packages/server/src/far.test.ts',
        'packages/server/src/main.test.ts',
      ],
      left: ['packages/server/src/two.postgres.test.ts', 'packages/server/src/slow.test.ts'],
    })
  })

  it('chooses a changed test and the test beside a changed file however long they run', () => {
    const testChoice = chooseTests([`${folder}/read.ts`, 'packages/server/src/slow.test.ts'], importers, secondsOf, 0)
    expect(testChoice.chosen).toEqual(['packages/server/src/slow.test.ts', `${folder}/read.test.ts`])
  })

  it('chooses the test beside a file that only the app imports', () => {
    const distantImporters = new Map([
      ['a/x.ts', ['a/app.ts']],
      ['a/app.ts', ['a/x.test.tsx', 'a/y.test.ts']],
    ])
    expect(chooseTests(['a/x.ts'], distantImporters, secondsOf, 1)).toEqual({
      chosen: ['a/x.test.tsx'],
      left: ['a/y.test.ts'],
    })
  })

  it('chooses no files that are not tests', () => {
    expect(chooseTests(['a/x.ts'], new Map([['a/x.ts', ['a/y.ts']]]), secondsOf)).toEqual({ chosen: [], left: [] })
  })
})

describe('findTests', () => {
  const texts: Record<string, string> = {
    'packages/model/src/text/slug.test.ts': "it('writes a page name as an address', …)",
    'packages/model/src/text/slug.ts': 'writes a page name as an address',
    'packages/panel/src/ui/button.test.tsx': "it('shows the reason of a disabled button', …)",
  }
  const findByArguments = (...args: string[]) => findTests(args, Object.keys(texts), (file) => texts[file] ?? '')

  it('finds tests by parts of their paths', () => {
    expect(findByArguments('./packages/model')).toEqual({ files: ['packages/model/src/text/slug.test.ts'] })
    expect(findByArguments('slug', 'button')).toEqual({
      files: ['packages/model/src/text/slug.test.ts', 'packages/panel/src/ui/button.test.tsx'],
    })
  })

  it('finds tests by words of a title', () => {
    const titleMatch = { files: ['packages/model/src/text/slug.test.ts'], title: 'page name as an address' }
    expect(findByArguments('page name as an address')).toEqual(titleMatch)
    expect(findByArguments('page', 'name', 'as', 'an', 'address')).toEqual(titleMatch)
  })

  it('finds no test when a word is in no path and no title', () => {
    expect(findByArguments('tractor')).toBeUndefined()
    expect(findByArguments('slug', 'tractor')).toBeUndefined()
  })

  it('finds every test without arguments', () => {
    expect(findByArguments()?.files).toHaveLength(2)
  })
})

describe('mergeTimes', () => {
  const times = { embedded: { 'a.test.ts': 5, 'b.test.ts': 5, 'c.test.ts': 5 }, server: { 'a.test.ts': 1 } }
  const files = [
    { name: 'a.test.ts', seconds: 9 },
    { name: 'b.test.ts', seconds: 2 },
    { name: 'd.test.ts', seconds: 7 },
  ]

  it.each([
    [
      'takes the times of a whole run on the embedded database',
      'embedded',
      { ...times, embedded: { 'a.test.ts': 9, 'b.test.ts': 2, 'c.test.ts': 5, 'd.test.ts': 7 } },
    ],
    [
      'only adds and shortens times after a run of a few files',
      'few',
      { ...times, embedded: { 'a.test.ts': 5, 'b.test.ts': 2, 'c.test.ts': 5, 'd.test.ts': 7 } },
    ],
    [
      'keeps the times on a server apart',
      'server',
      { ...times, server: { 'a.test.ts': 9, 'b.test.ts': 2, 'd.test.ts': 7 } },
    ],
  ] as const)('%s', (_title, kind, expectedTimes) => {
    expect(mergeTimes(times, files, kind)).toEqual(expectedTimes)
  })
})

describe('secondsIn', () => {
  const times = { embedded: { 'packages/server/a.test.ts': 2 }, server: { 'packages/server/b.test.ts': 8 } }

  it.each([
    ['takes the time on the embedded database', 'packages/server/a.test.ts', 2],
    ['estimates it from the time on a server', 'packages/server/b.test.ts', 24],
    ['takes the average of the package for a file that never ran', 'packages/server/c.test.ts', 4],
  ])('%s', (_title, file, seconds) => {
    expect(secondsIn(times, file)).toBe(seconds)
  })
})
