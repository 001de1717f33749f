/** Fills the database as SEED says and tells what was made: `npm run seed`. */
import { migrate } from '../db/migrate.ts'
import { accountLines, seed, seedSettings } from '../seed/index.ts'
import { runCommand, say, withData } from './run-command.ts'

await runCommand((settings) =>
  withData(settings, async ({ database }) => {
    await migrate(database)
    const report = await seed(database, seedSettings(settings))
    for (const part of report.made) say(`Made: ${part}`)
    for (const line of accountLines(report)) say(line)
    if (report.made.length === 0 && !report.owner) say(`Nothing to do; everything of SEED=${settings.seed} is there.`)
  }),
)
