/**
 * Runs one command at the terminal: settings in, lines out, every failure in one sentence and with exit code
 * 1.
 */
import { calendarOf } from '../db/calendar.ts'
import type { EngineParts } from '../db/database.ts'
import { type OpenData, terminalMessage, openData } from '../db/open-data.ts'
import { readSettings, type Settings } from '../settings.ts'

export const printLine = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * Runs a command with the settings of the environment. Never throws.
 *
 * @param runTask - The command.
 */
export async function runCommand(runTask: (settings: Settings) => Promise<void>): Promise<void> {
  try {
    await runTask(readSettings(process.env))
  } catch (error) {
    process.stderr.write(`${terminalMessage(error, 'The command failed')}\n`)
    process.exitCode = 1
  }
}

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
