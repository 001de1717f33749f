/** Checks that every file named in docs/architecture.md exists, and that no walk visits a file twice. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

const page = 'docs/architecture.md'
const packages = /^(server|panel|model)\//u
/** Pattern of a file's path in backticks: it has an extension, unlike settings and routes. */
const filePattern = /`([\w./-]+\.(?:tsx?|mjs|json|sql|md))`/gu
/** Pattern of a stop in a code walk of the architecture page: the first name of a numbered line. */
const stopPattern = /^\d+\. `([^`]+)`/u

/**
 * Returns the path of a file from the root of the repository.
 *
 * @param name A path as the page has it: one from the root, or one that begins with the name of a package.
 * @returns The path from the root.
 */
export const pathOf = (name: string): string => name.replace(packages, 'packages/$1/src/')

/**
 * Finds wrong file names in a page.
 *
 * @param text - The page.
 * @param isStored - Whether a path from the root leads to a file.
 * @returns A sentence for each file that does not exist, and for each that one walk visits twice.
 */
export function wrongNames(text: string, isStored: (path: string) => boolean): string[] {
  const names = new Set([...text.matchAll(filePattern)].map(([, name = '']) => name))
  const missingFiles = [...names].filter((name) => !isStored(pathOf(name))).map((name) => `${name} is not there`)
  const duplicateNames = text.split(/^#+ /mu).flatMap((section) => {
    const [title = '', ...lines] = section.split('\n')
    const stopWords = lines.flatMap((line) => stopPattern.exec(line)?.[1] ?? [])
    const repeatedWords = new Set(stopWords.filter((name, index) => stopWords.indexOf(name) < index))
    return [...repeatedWords].map((name) => `"${title}" visits ${name} twice`)
  })
  return [...missingFiles, ...duplicateNames]
}

export const namedFiles: Step = {
  name: 'Files that docs/architecture.md names',
  independent: true,
  run: () => {
    const text = readFileSync(join(repositoryRoot, page), 'utf8')
    const wrongFileNames = wrongNames(text, (path) => existsSync(join(repositoryRoot, path)))
    return Promise.resolve(
      wrongFileNames.length > 0 ? { ...failedTally, output: wrongFileNames.join('\n') } : passedTally,
    )
  },
}
