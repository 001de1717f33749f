/** Checks a backup without restoring it: `dala verify backup <folder or hourly copy>`. */
import { resolve } from 'node:path'
import { verifyBackup as readWholeBackup } from '../db/backups/verify.ts'
import type { CommandInput, CommandResult } from './command-line.ts'

/**
 * Checks a backup.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns Its kind, schema and time, and the number of rows of each table.
 * @throws The errors of the check, which name a damaged file.
 */
export async function verifyBackup({ positionals, printLine }: CommandInput): Promise<CommandResult> {
  const [backupPath = ''] = positionals
  const report = await readWholeBackup(resolve(backupPath))
  const counts = Object.values(report.rows)
  const rowCount = counts.reduce((sum, count) => sum + count, 0)
  printLine(`The backup is whole: ${rowCount} rows in ${counts.length} tables, schema ${report.schema}.`)
  if (report.kind === 'server')
    printLine('The dump was read to its end; only a restore makes its indexes and constraints.')
  return { document: { backup: resolve(backupPath), ...report } }
}
