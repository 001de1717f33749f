import { expect, test } from 'vitest'
import { largeFolders } from './folder-sizes.ts'
import { everything, isInput } from './passed-before.ts'

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
  ['scripts/bench.ts', false],
  ['packages/model/README.md', false],
  ['CHANGELOG.md', false],
])('takes %s for an input of a check of the model: %s', (file, expected) => {
  expect(isInput(file, ['packages/model'])).toBe(expected)
})

test('takes documents for inputs of the format', () => {
  expect(isInput('docs/glossary.md', [everything])).toBe(true)
})
