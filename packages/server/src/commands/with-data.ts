/** Opens the data for a command, and closes them whatever happens. */
import { calendarOf } from '../db/calendar.ts'
import type { EngineParts } from '../db/database.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { type OpenData, openData, StartError } from '../db/open-data.ts'
import type { Settings } from '../settings.ts'
import { openPresentData } from './present-data.ts'

/**
 * Runs the work of a command on the opened database and closes it whatever happens.
 *
 * @param settings - Where the data are.
 * @param runWork - The work.
 * @param parts - The parts of the engine, for work on records.
 * @returns What the work returns.
 */
export async function runWithData<T>(
  settings: Settings,
  runWork: (data: OpenData) => Promise<T>,
  parts?: EngineParts,
): Promise<T> {
  const data = await openData(settings, { calendar: calendarOf(settings), ...(parts && { parts }) })
  try {
    return await runWork(data)
  } finally {
    await data.close()
  }
}

/**
 * Runs the work of a command on present data of this program's schema, and closes them whatever happens.
 *
 * @param settings - The place of the data.
 * @param runWork - The work.
 * @param parts - The parts of the engine, for work on records.
 * @returns What the work returns.
 * @throws StartError where there is no database, or an older one; SchemaError for a newer one.
 */
export async function runWithPresentData<T>(
  settings: Settings,
  runWork: (data: OpenData) => Promise<T>,
  parts?: EngineParts,
): Promise<T> {
  const data = await openPresentData(settings, { calendar: calendarOf(settings), ...(parts && { parts }) })
  if (!data) throw new StartError(`There is no database in ${settings.dataDir} yet: the first start creates it.`)
  try {
    const pending = await pendingMigrations(data.database)
    if (pending.length > 0) throw new StartError('The database is of another version: run dala migrate first.')
    return await runWork(data)
  } finally {
    await data.close()
  }
}
