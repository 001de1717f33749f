/** Refuses gaps and duplicates in the numbers of decisions, and citations of decisions that do not exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

const folder = 'docs/decisions'

/**
 * Finds mistakes in the numbers of decisions.
 *
 * @param documents - The text of each decision by the name of its file, `0009-exact-versions.md`.
 * @returns A sentence for each gap, duplicate number, and heading with another number.
 */
export function wrongNumbers(documents: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(documents).toSorted()
  const numbers = names.map((name) => Number(name.slice(0, 4)))
  const lastNumber = Math.max(0, ...numbers)
  const counts = Array.from(
    { length: lastNumber },
    (_, index) => numbers.filter((number) => number === index + 1).length,
  )
  return [
    ...counts.flatMap((count, index) => {
      if (count === 1) return []
      return [count === 0 ? `Decision ${index + 1} is missing.` : `Decision ${index + 1} is there ${count} times.`]
    }),
    ...names.flatMap((name) => {
      const heading = `# ${Number(name.slice(0, 4))}. `
      return documents[name]?.startsWith(heading) === true ? [] : [`${name} does not begin with "${heading}".`]
    }),
  ]
}

/**
 * Finds citations of decisions that do not exist.
 *
 * @param text Text of a file.
 * @param lastNumber The number of the last decision.
 * @returns The citations with their lines, counted from 1.
 */
export function unknownDecisions(text: string, lastNumber: number): { line: number; text: string }[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\bdecision (\d+)\b/giu)].flatMap(([reference, number]) =>
        Number(number) >= 1 && Number(number) <= lastNumber ? [] : [{ line: index + 1, text: reference }],
      ),
    )
}

/** Migrations that are released never change, and some cite decisions of a former list. */
const isRead = (file: string) => /\.(tsx?|mjs|css|md)$/u.test(file)

export const decisionNumbers: Step = {
  name: 'Decisions',
  independent: true,
  run: async () => {
    const names = readdirSync(join(repositoryRoot, folder)).filter((name) => /^\d{4}-.*\.md$/u.test(name))
    const documents = Object.fromEntries(
      names.map((name) => [name, readFileSync(join(repositoryRoot, folder, name), 'utf8')]),
    )
    const files = (await listFiles().catch(() => [])).filter(isRead)
    const lines = files.flatMap((file) =>
      unknownDecisions(readText(file), names.length).map(({ line, text }) => `${file}:${line}: there is no ${text}`),
    )
    const wrongLines = [...wrongNumbers(documents), ...lines]
    return wrongLines.length > 0 ? { ...failedTally, output: wrongLines.join('\n') } : passedTally
  },
}

/** Returns the text of a file; empty for a file that was deleted and not committed yet. */
function readText(file: string): string {
  try {
    return readFileSync(join(repositoryRoot, file), 'utf8')
  } catch {
    return ''
  }
}
