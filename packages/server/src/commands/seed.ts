/** Fills the database as the setting SEED says and prints what was created: `dala seed`. */
import { engineParts } from '../behaviours/index.ts'
import { accountLines, seed, seedSettings } from '../seed/index.ts'
import { seedLater } from '../seed/later.ts'
import { openUploads } from '../features/uploads/open-uploads.ts'
import { migrateWithCopy } from '../migrate-with-copy.ts'
import { readSettings } from '../settings.ts'
import type { CommandInput, CommandResult } from './command-line.ts'
import { runWithData } from './with-data.ts'

/**
 * Fills the database with the missing content of the setting SEED.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The filled parts, and the created accounts with their generated passwords.
 */
export function fillDatabase({ environment, printLine }: CommandInput): Promise<CommandResult> {
  const settings = readSettings(environment)
  return runWithData(
    settings,
    async ({ database }) => {
      await migrateWithCopy(database, settings, { printLine })
      const report = await seed(database, seedSettings(settings))
      // Passwords are printed before the conversations and prices are created, which takes a minute and may
      // be interrupted.
      for (const filledPart of report.filledParts) printLine(`Made: ${filledPart}`)
      for (const line of accountLines(report)) printLine(line)
      const uploads = openUploads(
        database,
        settings,
        (error, failedTask) => void process.stderr.write(`${failedTask}: ${String(error)}\n`),
      )
      let parts = 0
      const countPart = () => void (parts += 1)
      await seedLater(database, seedSettings(settings), {
        store: { uploads },
        signal: new AbortController().signal,
        onPartDone: countPart,
      })
      if (parts > 0) printLine(`Made: ${parts} parts of the season and its pictures`)
      if (report.filledParts.length === 0 && parts === 0 && !report.owner)
        printLine(`Nothing to do; everything of SEED=${settings.seed} is there.`)
      return { document: { ...report, laterParts: parts } }
    },
    engineParts,
  )
}
