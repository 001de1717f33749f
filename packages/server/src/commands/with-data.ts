/** Opens the data for a command, and closes them whatever happens. */
import { calendarOf } from '../db/calendar.ts'
import type { EngineParts } from '../db/database.ts'
import { type OpenData, openData } from '../db/open-data.ts'
import type { Settings } from '../settings.ts'

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
