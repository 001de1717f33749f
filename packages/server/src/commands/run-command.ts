/**
 * Runs one command at the terminal: settings in, lines or one JSON document out, every failure in one
 * sentence and with an exit code.
 */
import { calendarOf } from '../db/calendar.ts'
import type { EngineParts } from '../db/database.ts'
import { type OpenData, terminalMessage, openData } from '../db/open-data.ts'
import type { Settings } from '../settings.ts'
import { type CommandDeclaration, exitCodes, readRequest, UsageError } from './command-line.ts'

/** Where a command reads its settings and writes its texts. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  writeOutput: (text: string) => void
  writeError: (text: string) => void
}

/**
 * Runs the command of these arguments. Never throws.
 *
 * @param commands - The declared commands.
 * @param argv - The arguments.
 * @param terminal - The settings and the outputs.
 * @returns The exit code.
 */
export async function runDala(
  commands: readonly CommandDeclaration[],
  argv: readonly string[],
  { environment, writeOutput, writeError }: Terminal,
): Promise<number> {
  const isJson = argv.includes('--json')
  const writeDocument = (document: unknown) => writeOutput(`${JSON.stringify(document, undefined, 2)}\n`)
  try {
    const request = readRequest(commands, argv)
    if (request.kind === 'help') {
      writeOutput(`${request.text}\n`)
      return exitCodes.done
    }
    if (request.kind === 'version') {
      const { programVersion } = await import('../db/backups/manifest.ts')
      writeOutput(`dala ${programVersion()}\n`)
      return exitCodes.done
    }
    const run = await request.command.load()
    const printLine = (line: string) => {
      if (!isJson) writeOutput(`${line}\n`)
    }
    const { document, hasFailed = false } = await run({ ...request.input, environment, printLine })
    if (isJson) writeDocument(document)
    return hasFailed ? exitCodes.failed : exitCodes.done
  } catch (error) {
    const message = error instanceof UsageError ? error.message : terminalMessage(error, 'The command failed')
    if (isJson) writeDocument({ error: { message } })
    writeError(`${message}\n`)
    return error instanceof UsageError ? exitCodes.wrongUse : exitCodes.failed
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
