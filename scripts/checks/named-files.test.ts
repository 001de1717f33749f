import { expect, test } from 'vitest'
import { pathOf, wrongNames } from './named-files.ts'

const storedFiles = ['packages/server/src/app.ts', 'packages/panel/src/main.tsx', 'README.md']
const isStored = (path: string) => storedFiles.includes(path)

test('finds files that a page names by their path below the source folder of a package', () => {
  expect(pathOf('server/app.ts')).toBe('packages/server/src/app.ts')
  expect(pathOf('scripts/check.ts')).toBe('scripts/check.ts')
})

test('accepts pages that name existing files, also in several walks, and names that are not files', () => {
  const text =
    '## One\n\n1. `server/app.ts` begins.\n\n## Two\n\n1. `server/app.ts` begins, see `README.md`.\n2. `GET /ready`'
  expect(wrongNames(text, isStored)).toEqual([])
})

test('refuses a page that names a missing file, wherever the name is written', () => {
  expect(wrongNames('By `server/gone.ts` and `app.ts`.', isStored)).toEqual([
    'server/gone.ts is not there',
    'app.ts is not there',
  ])
})

test('refuses a code walk that visits a file twice', () => {
  const text =
    '## A walk\n\n1. `server/app.ts` begins.\n2. `panel/main.tsx` goes on, from `server/app.ts`.\n3. `server/app.ts` ends.'
  expect(wrongNames(text, isStored)).toEqual(['"A walk" visits server/app.ts twice'])
})
