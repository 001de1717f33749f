import { expect, it } from 'vitest'
import { compareText } from '../../../lib/format.ts'
import { sumCounts, cleanFolder, foldersOf, countWithoutFolder } from './folder-names.ts'

const counts = [
  { folder: null, count: 3 },
  { folder: 'Market', count: 2 },
  { folder: 'Market 2026', count: 1 },
  { folder: 'Market/Cotton', count: 4 },
  { folder: 'News/2026', count: 5 },
]
const comparePaths = (left: string, right: string) => compareText('en', left, right)

it('lists folders after their parents and counts the files inside', () => {
  expect(foldersOf(counts, comparePaths).map(({ path, folderDepth: depth, count }) => [path, depth, count])).toEqual([
    ['Market', 0, 6],
    ['Market/Cotton', 1, 4],
    ['Market 2026', 0, 1],
    ['News', 0, 5],
    ['News/2026', 1, 5],
  ])
  expect([countWithoutFolder(counts), sumCounts(counts)]).toEqual([3, 15])
})

it('cleans a typed folder name', () => {
  expect(cleanFolder(' / Market //  Cotton / ')).toBe('Market/Cotton')
  expect(cleanFolder(' / ')).toBe('')
})
