/** Checks an installation and says what to do: `dala doctor`. */
import { lockHolderOf } from '../../db/lock.ts'
import { settleWithin } from '../../domain/operations/limits.ts'
import { readSettings, type Settings, SettingsError } from '../../settings.ts'
import type { CommandInput, CommandResult } from '../command-line.ts'
import { databaseChecks, examineDatabase } from './database-checks.ts'
import { type Check, checkLimit, failure, type NamedFinding, ok, runChecks } from './finding.ts'
import { folderChecks } from './folder-checks.ts'
import { networkChecks } from './network-checks.ts'
import { programChecks } from './program-checks.ts'

/**
 * Checks an installation. Nothing is changed; an embedded database without a server is locked for a moment.
 *
 * @param input - The settings and the output.
 * @param limit - Milliseconds for each check.
 * @returns The findings, and whether one of them is a failure.
 */
export async function examine(
  { environment, printLine }: Pick<CommandInput, 'environment' | 'printLine'>,
  limit = checkLimit,
): Promise<CommandResult & { document: NamedFinding[] }> {
  const findings = await findAll(environment, limit)
  for (const found of findings) {
    printLine(`${found.state.padEnd(7)}  ${found.check}: ${found.message}`)
    if (found.state !== 'ok') printLine(`         ${found.advice}`)
  }
  const countOf = (state: NamedFinding['state']) => findings.filter((found) => found.state === state).length
  printLine(`Checks: ${findings.length}; warnings: ${countOf('warning')}; failures: ${countOf('failure')}`)
  return { document: findings, hasFailed: countOf('failure') > 0 }
}

function findAll(environment: CommandInput['environment'], limit: number): Promise<NamedFinding[]> {
  let settings: Settings
  try {
    settings = readSettings(environment)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const { message } = error
    const settingsCheck: Check = {
      name: 'settings',
      run: () => failure(message, 'Correct the setting and run dala doctor again: most checks need valid settings.'),
    }
    return runChecks([settingsCheck, ...programChecks], limit)
  }
  return findWith(settings, limit)
}

async function findWith(settings: Settings, limit: number): Promise<NamedFinding[]> {
  // The lock is read before the doctor itself locks the folder to open the database.
  const holder = settings.databaseUrl === undefined ? lockHolderOf(settings.dataDir) : undefined
  const examination = examineDatabase(settings, holder)
  const checks: Check[] = [
    { name: 'settings', run: () => ok('The settings can be read.') },
    ...programChecks,
    ...folderChecks(settings),
    ...databaseChecks(settings, holder, examination),
    ...networkChecks(settings),
  ]
  const findings = await runChecks(checks, limit)
  const closing = examination.then((examined) => (examined.kind === 'open' ? examined.data.close() : undefined))
  // A database that opens after the time limit is closed then, and the program ends after that.
  await settleWithin(closing, limit, undefined)
  return findings
}
