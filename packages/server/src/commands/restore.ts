/** Brings a backup back: `dala restore <folder or hourly copy> [--overwrite]`. */
import { resolve } from 'node:path'
import { restoreEndStatements } from '../db/backups/end-restored-state.ts'
import { restoreBackup } from '../db/backups/restore.ts'
import { readSettings } from '../settings.ts'
import type { CommandInput, CommandResult } from './command-line.ts'

/**
 * Restores a backup or an hourly copy.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The schema version of the restored database, and what ended with the restore.
 * @throws The errors of `restoreBackup`.
 */
export async function restore(input: CommandInput): Promise<CommandResult> {
  const { environment, positionals, options, printLine } = input
  const [backupPath = ''] = positionals
  const settings = readSettings(environment)
  const schema = await restoreBackup(resolve(backupPath), settings, { mayOverwrite: options.overwrite === true })
  printLine(`Restored from ${backupPath}; the schema is ${schema}. The next start brings it up to date.`)
  for (const line of restoreEndStatements) printLine(line)
  return { document: { restoredFrom: resolve(backupPath), schema, notes: restoreEndStatements } }
}
