/** Checks that every test named in docs/security.md exists, in the named file and under the named title. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

const packages = /^(server|panel|model)\//

/** Reads the tables of docs/security.md: each promise, with the files and titles that prove it. */
function readPromises(text: string): { promise: string; shown: [file: string, words: string][] }[] {
  return text.split('\n').flatMap((line) => {
    const [, promise = '', testCell = ''] = line.split('|').map((cell) => cell.trim())
    if (!testCell.includes(' › ')) return []
    return [
      {
        promise,
        shown: testCell.split('<br>').map((testReference): [string, string] => {
          const [file = '', ...titleParts] = testReference.split(' › ')
          return [file.replace(packages, 'packages/$1/src/'), titleParts.join(' › ')]
        }),
      },
    ]
  })
}

export const promisesStep: Step = {
  name: 'Tests that docs/security.md names',
  independent: true,
  run: () => {
    const promises = readPromises(readFileSync(join(repositoryRoot, 'docs/security.md'), 'utf8'))
    const missingTests = promises.flatMap(({ promise, shown }) =>
      shown.flatMap(([file, testTitle]) => {
        const path = join(repositoryRoot, file)
        const isNamedTest = existsSync(path) && readFileSync(path, 'utf8').includes(testTitle)
        return isNamedTest ? [] : [`${promise}: ${file} has no "${testTitle}"`]
      }),
    )
    if (promises.length === 0) {
      return Promise.resolve({ ...failedTally, output: 'docs/security.md has no table of promises.' })
    }
    return Promise.resolve(missingTests.length > 0 ? { ...failedTally, output: missingTests.join('\n') } : passedTally)
  },
}
