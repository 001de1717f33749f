/**
 * Runs one command at the terminal: settings in, lines or one JSON document out, every failure in one
 * sentence and with an exit code. Everything else is loaded when it is needed, because help and a start must
 * be quick.
 */
import { disguises } from '../http/disguises.ts'
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
      if (!isJson) writeOutput(`${line.replaceAll(disguises, ' ')}\n`)
    }
    const { document, hasFailed = false } = await run({ ...request.input, environment, printLine })
    if (isJson) writeDocument(document)
    return hasFailed ? exitCodes.failed : exitCodes.done
  } catch (error) {
    const message = await messageOf(error)
    if (isJson) writeDocument({ error: { message } })
    writeError(`${message}\n`)
    return error instanceof UsageError ? exitCodes.wrongUse : exitCodes.failed
  }
}

async function messageOf(error: unknown): Promise<string> {
  if (error instanceof UsageError) return error.message
  const { terminalMessage } = await import('../db/open-data.ts')
  return terminalMessage(error, 'The command failed')
}
