/** Checks a backup without restoring it: `dala verify backup <folder or hourly copy>`. */
import { verifyBackup as readWholeBackup } from '../db/backups/verify.ts'
import { backupKeyOf } from '../db/backups/sealed-file.ts'
import { readSettings } from '../settings.ts'
import { withNamedBackup } from './named-backup.ts'
import type { CommandInput, CommandResult } from './command-line.ts'

/**
 * Checks a backup.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns Its kind, schema and time, and the number of rows of each table.
 * @throws The errors of the check, which name a damaged file.
 */
export async function verifyBackup({ environment, positionals, printLine }: CommandInput): Promise<CommandResult> {
  const [backupPath = ''] = positionals
  const settings = readSettings(environment)
  const { key } = settings.backups
  const report = await withNamedBackup(settings, backupPath, (path) => readWholeBackup(path, key && backupKeyOf(key)))
  const counts = Object.values(report.rows)
  const rowCount = counts.reduce((sum, count) => sum + count, 0)
  printLine(`The backup is whole: ${rowCount} rows in ${counts.length} tables, schema ${report.schema}.`)
  if (report.kind === 'server')
    printLine('The dump was read to its end; only a restore makes its indexes and constraints.')
  return { document: { backup: backupPath, ...report } }
}
