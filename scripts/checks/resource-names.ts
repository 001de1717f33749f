/** Refuses the name of a resource in the generic folders, where every resource must be handled alike. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources, type Resource } from '../../packages/model/src/index.ts'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'
import { findNames } from './find-names.ts'

/** Generic folders, whose code serves and shows any resource. */
const genericFolders = ['packages/server/src/resources/', 'packages/panel/src/resource/']

/** Exception of the check: a resource name that a generic file still needs. */
export interface NameException {
  /** Path of the generic file from the root of the repository. */
  file: string
  names: readonly string[]
  /** Change that is needed before the resource name can be removed. */
  reason: string
}

const savedViews = 'Saved views are records of a resource; lists would have to receive them from app/.'
const exceptions: readonly NameException[] = [
  {
    file: 'packages/server/src/resources/caller-now.ts',
    names: ['users', 'roles'],
    reason:
      'The rights of an account at this moment belong to domain/accounts, and would be handed to the engine at start.',
  },
  {
    file: 'packages/server/src/resources/history/audit.ts',
    names: ['audit'],
    reason: 'Every write adds its audit line; the writer of audit lines would be handed to the engine at start.',
  },
  { file: 'packages/panel/src/resource/views/view.ts', names: ['listviews'], reason: savedViews },
  { file: 'packages/panel/src/resource/views/actions.ts', names: ['list-views'], reason: savedViews },
  { file: 'packages/panel/src/resource/views/dialog.tsx', names: ['listviews', 'roles'], reason: savedViews },
]

/** Tells whether a file belongs to the generic folders and is no test. */
const isGeneric = (file: string): boolean =>
  genericFolders.some((folder) => file.startsWith(folder)) &&
  /\.tsx?$/.test(file) &&
  !/\.(test|test-d)\.tsx?$|\/testing\//.test(file)

/**
 * Compares the names in generic files with the exceptions.
 *
 * @param files - Texts by path; files of other folders and tests are left out.
 * @param names - Names of resources, in the model and on the wire.
 * @param allowedExceptions - The exceptions.
 * @returns One line for each name without an exception and for each exception without a use; none when all is
 *   well.
 */
export function findForeignNames(
  files: ReadonlyMap<string, string>,
  names: ReadonlySet<string>,
  allowedExceptions: readonly NameException[],
): string[] {
  const neededExceptions = new Set<string>()
  const isAllowed = (file: string, name: string) =>
    allowedExceptions.some(
      (allowedException) => allowedException.file === file && allowedException.names.includes(name),
    )
  const refusedNames = [...files]
    .filter(([file]) => isGeneric(file))
    .flatMap(([file, text]) =>
      findNames(text, names, file.endsWith('x')).flatMap(({ name, line, form }) => {
        if (!isAllowed(file, name)) return [`${file}:${line} names the resource "${name}" (${form})`]
        neededExceptions.add(`${file} ${name}`)
        return []
      }),
    )
  const unneededExceptions = allowedExceptions.flatMap(({ file, names: exceptedNames }) =>
    exceptedNames
      .filter((name) => !neededExceptions.has(`${file} ${name}`))
      .map(
        (name) =>
          `${file} no longer names "${name}": take it out of the exceptions in scripts/checks/resource-names.ts`,
      ),
  )
  return [...refusedNames, ...unneededExceptions]
}

export const resourceNames: Step = {
  name: 'Names of resources in generic folders',
  independent: true,
  run: async () => {
    const names = new Set(Object.values<Resource>(resources).flatMap(({ name, wire }) => [name, wire]))
    const paths = (await listFiles()).filter(isGeneric)
    const files = new Map(paths.map((file) => [file, readFileSync(join(repositoryRoot, file), 'utf8')]))
    const lines = findForeignNames(files, names, exceptions)
    return lines.length === 0 ? passedTally : { ...failedTally, output: lines.join('\n') }
  },
}

if (import.meta.main) {
  const { output = '', failed } = await resourceNames.run()
  if (output !== '') console.log(output)
  process.exitCode = failed
}
