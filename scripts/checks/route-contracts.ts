/** Refuses a route of a feature that is registered without its contract (decision 44). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

/**
 * Pattern of a call of the framework that registers a route: a method with an address, or the general form.
 */
const registration =
  /\.(?:(?:get|post|put|patch|delete|head|options|all)\s*(?:<[^>]*>)?\(\s*(?:['"`]\/|`\$\{[^`]*`\s*,)|route\s*\()/gu

/**
 * Finds routes that are registered directly with the framework.
 *
 * @param source - The text of a file.
 * @returns The lines of the registrations, counted from 1.
 */
export const registrationsIn = (source: string): number[] =>
  [...source.matchAll(registration)].map(({ index }) => source.slice(0, index).split('\n').length)

/** Files whose routes have no contract: they answer no JSON and are not part of the API document. */
const exceptions: readonly string[] = [
  'packages/server/src/features/guide/serve.ts',
  'packages/server/src/features/panel/panel.ts',
  'packages/server/src/features/uploads/serve.ts',
]

/** Tells whether a source file belongs to a feature and is not a test. */
export const isFeatureFile = (file: string): boolean =>
  /^packages\/server\/src\/(?:features|behaviours|domain)\/.*\.ts$/u.test(file) && !file.endsWith('.test.ts')

export const routeContracts: Step = {
  name: 'Contracts of routes',
  independent: true,
  run: async () => {
    const files = (await listFiles()).filter(isFeatureFile)
    const findings = files.flatMap((file) => {
      const lines = registrationsIn(readFileSync(join(repositoryRoot, file), 'utf8'))
      if (exceptions.includes(file)) return lines.length > 0 ? [] : [`${file} is an exception that is not needed`]
      return lines.map(
        (line) => `${file}:${line} registers a route without a contract: use addRoutes of http/contract-routes.ts`,
      )
    })
    return findings.length === 0 ? passedTally : { ...failedTally, output: findings.join('\n') }
  },
}
