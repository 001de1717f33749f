/** Brings the database to this program's schema, or shows what that would do: `dala migrate [--plan]`. */
import { type RollingUpdate, schemaVersion } from '../db/migrate.ts'
import { migrateWithCopy, needsCopy } from '../migrate-with-copy.ts'
import { readSettings } from '../settings.ts'
import type { CommandInput, CommandResult } from './command-line.ts'
import { type MigrationPlan, planMigrations, type TableLock } from './migration-plan.ts'
import { openPresentData } from './present-data.ts'
import { runWithData } from './with-data.ts'

/**
 * Applies the missing migrations, or describes them with `--plan`.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The applied migrations and the schema version, or the plan.
 * @throws SchemaError when the database is newer than the program.
 */
export async function migrate(input: CommandInput): Promise<CommandResult> {
  if (input.options.plan) return showPlan(input)
  const { environment, printLine } = input
  const settings = readSettings(environment)
  return runWithData(settings, async ({ database }) => {
    const appliedMigrations = await migrateWithCopy(database, settings, { printLine })
    const schema = await schemaVersion(database)
    for (const name of appliedMigrations) printLine(`Applied: ${name}`)
    printLine(`${appliedMigrations.length === 0 ? 'Nothing to do; the' : 'The'} schema is ${schema}.`)
    return { document: { applied: appliedMigrations, schema } }
  })
}

async function showPlan({ environment, printLine }: CommandInput): Promise<CommandResult> {
  const settings = readSettings(environment)
  const data = await openPresentData(settings)
  if (!data) {
    printLine('There is no database yet; the first start creates it.')
    return { document: { schema: null, pending: [], copy: false } }
  }
  try {
    const plan = await planMigrations(data.database)
    for (const line of planLines(plan)) printLine(line)
    const copy = plan.pending.length > 0 && (await needsCopy(data.database, settings))
    if (copy) printLine('A copy of the database and the files is taken first.')
    return { document: { ...plan, copy } }
  } finally {
    await data.close()
  }
}

/** Describes whether the former version may run beside a migration. */
function rollingUpdateLine(rollingUpdate: RollingUpdate): string {
  if (rollingUpdate.state === 'yes') return 'The former version may run beside it.'
  if (rollingUpdate.state === 'no') return `Stop the former version first: ${rollingUpdate.reason}`
  return 'Not declared whether the former version may run beside it: stop the former version first.'
}

function lockLine({ table, lock, rows, waits }: TableLock): string {
  const size = rows === null ? 'made by an earlier pending migration' : `about ${rows} rows`
  return `  ${table} (${size}): ${lock}, ${waits === 'nothing' ? 'nobody waits' : `${waits} wait`}`
}

/**
 * Formats a plan for the terminal.
 *
 * @param plan - The plan.
 * @returns Its lines.
 */
export function planLines({ schema, pending }: MigrationPlan): string[] {
  if (pending.length === 0) return [`Nothing to do; the schema is ${schema ?? 'empty'}.`]
  return [
    `Pending migrations: ${pending.length}; the schema is ${schema ?? 'empty'}. Nothing was changed.`,
    ...pending.flatMap(({ migration, rollingUpdate, locks }) => [
      migration,
      `  ${rollingUpdateLine(rollingUpdate)}`,
      ...(locks.length === 0 ? ['  Locks no table that exists already.'] : locks.map(lockLine)),
    ]),
  ]
}
