/** Brings the database to this program's schema and prints the applied migrations: `npm run migrate`. */
import { migrate, schemaVersion } from '../db/migrate.ts'
import { runCommand, printLine, withData } from './run-command.ts'

await runCommand((settings) =>
  withData(settings, async ({ database }) => {
    const applied = await migrate(database)
    for (const name of applied) printLine(`Applied: ${name}`)
    printLine(`${applied.length === 0 ? 'Nothing to do; the' : 'The'} schema is ${await schemaVersion(database)}.`)
  }),
)
