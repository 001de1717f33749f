/** Brings the database to this program's schema and prints the applied migrations: `npm run migrate`. */
import { migrateDatabase, schemaVersion } from '../db/migrate.ts'
import { runCommand, printLine, withData } from './run-command.ts'

await runCommand((settings) =>
  withData(settings, async ({ database }) => {
    const appliedMigrations = await migrateDatabase(database)
    for (const name of appliedMigrations) printLine(`Applied: ${name}`)
    printLine(
      `${appliedMigrations.length === 0 ? 'Nothing to do; the' : 'The'} schema is ${await schemaVersion(database)}.`,
    )
  }),
)
