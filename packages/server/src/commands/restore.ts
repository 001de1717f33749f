/** Brings a backup back: `dala restore <folder or hourly copy> [--overwrite]`. */
import { restoreEndStatements } from '../db/backups/end-restored-state.ts'
import { restoreBackup } from '../db/backups/restore.ts'
import { backupKeyOf } from '../db/backups/sealed-file.ts'
import { openStorage } from '../features/uploads/storage/open-storage.ts'
import { readStoredName } from '../features/uploads/stored-names.ts'
import { readSettings } from '../settings.ts'
import { withNamedBackup } from './named-backup.ts'
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
  const { key } = settings.backups
  const storage = settings.store && openStorage(settings)
  const restoreOptions = {
    mayOverwrite: options.overwrite === true,
    key: key && backupKeyOf(key),
    ...(storage && {
      putUpload: async (name: string, file: string) => {
        const stored = readStoredName(name)
        if (stored && (await storage.size(name)) === undefined) await storage.put(name, file, stored)
      },
    }),
  }
  const schema = await withNamedBackup(settings, backupPath, (path) => restoreBackup(path, settings, restoreOptions))
  printLine(`Restored from ${backupPath}; the schema is ${schema}. The next start brings it up to date.`)
  for (const line of restoreEndStatements) printLine(line)
  return { document: { restoredFrom: backupPath, schema, notes: restoreEndStatements } }
}
