/** Brings the database to this program's schema and prints the applied migrations: `npm run migrate`. */
import { migrateDatabase, schemaVersion } from '../db/migrate.ts'
import { runCommand, printLine, runWithData } from './run-command.ts'

await runCommand((settings) =>
  runWithData(settings, async ({ database }) => {
    const appliedMigrations = await migrateDatabase(database)
    for (const name of appliedMigrations) printLine(`Applied: ${name}`)
    printLine(
      `${appliedMigrations.length === 0 ? 'Nothing to do; the' : 'The'} schema is ${await schemaVersion(database)}.`,
    )
  }),
)
