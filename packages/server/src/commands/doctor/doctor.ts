/** Checks an installation and says what to do: `dala doctor`. */
import { lockHolderOf } from '../../db/lock.ts'
import { readSettings, type Settings, SettingsError } from '../../settings.ts'
import type { CommandInput, CommandResult } from '../command-line.ts'
import { databaseChecks, examineDatabase } from './database-checks.ts'
import { type Check, failure, type NamedFinding, ok, runChecks } from './finding.ts'
import { folderChecks } from './folder-checks.ts'
import { networkChecks } from './network-checks.ts'
import { programChecks } from './program-checks.ts'

/**
 * Checks an installation. Nothing is changed; an embedded database without a server is locked for a moment.
 *
 * @returns The findings, and whether one of them is a failure.
 */
export async function examine({ environment, printLine }: CommandInput): Promise<CommandResult> {
  const findings = await findAll(environment)
  for (const found of findings) {
    printLine(`${found.state.padEnd(7)}  ${found.check}: ${found.message}`)
    if (found.state !== 'ok') printLine(`         ${found.advice}`)
  }
  const countOf = (state: NamedFinding['state']) => findings.filter((found) => found.state === state).length
  printLine(`Checks: ${findings.length}; warnings: ${countOf('warning')}; failures: ${countOf('failure')}`)
  return { document: findings, hasFailed: countOf('failure') > 0 }
}

function findAll(environment: CommandInput['environment']): Promise<NamedFinding[]> {
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
    return runChecks([settingsCheck, ...programChecks])
  }
  return findWith(settings)
}

async function findWith(settings: Settings): Promise<NamedFinding[]> {
  // The lock is read before the doctor itself locks the folder to open the database.
  const holder = settings.databaseUrl === undefined ? lockHolderOf(settings.dataDir) : undefined
  const examination = examineDatabase(settings, holder)
  const findings = await runChecks([
    { name: 'settings', run: () => ok('The settings can be read.') },
    ...programChecks,
    ...folderChecks(settings),
    ...databaseChecks(settings, holder, examination),
    ...networkChecks(settings),
  ])
  // A database that opens after the time limit is closed then, and the program ends after that.
  const closing = examination.then((examined) => (examined.kind === 'open' ? examined.data.close() : undefined))
  await runChecks([{ name: 'closing', run: async () => (await closing, ok('closed')) }])
  return findings
}
