/** Brings a backup back: `npm run restore -- <folder or hourly copy> [--overwrite]`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreEndStatements } from '../db/backups/end-restored-state.ts'
import { BackupError } from '../db/backups/manifest.ts'
import { restoreBackup } from '../db/backups/restore.ts'
import { runCommand, printLine } from './run-command.ts'

await runCommand(async (settings) => {
  const { values, positionals } = parseArgs({
    options: { overwrite: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [backupPath, ...otherArguments] = positionals
  if (backupPath === undefined || otherArguments.length > 0)
    throw new BackupError('Name one backup: npm run restore -- <folder or hourly copy> [--overwrite].')
  const schema = await restoreBackup(resolve(backupPath), settings, { mayOverwrite: values.overwrite })
  printLine(`Restored from ${backupPath}; the schema is ${schema}. The next start brings it up to date.`)
  for (const line of restoreEndStatements) printLine(line)
})
