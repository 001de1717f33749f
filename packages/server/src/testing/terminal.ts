/** Runs commands of `dala` in this process, for tests that read what they write. */
import { commands } from '../commands/command-list.ts'
import { runDala } from '../commands/run-command.ts'

export interface CommandOutcome {
  code: number
  output: string
  errors: string
  /** The document of `--json`. */
  readDocument: <T>() => T
}

/**
 * Runs a command of `dala`.
 *
 * @param environment - The settings.
 * @param argv - The arguments.
 * @returns The exit code and everything that was written.
 */
export async function runInTest(
  environment: Readonly<Record<string, string | undefined>>,
  ...argv: string[]
): Promise<CommandOutcome> {
  let [output, errors] = ['', '']
  const code = await runDala(commands, argv, {
    environment,
    writeOutput: (text) => void (output += text),
    writeError: (text) => void (errors += text),
  })
  return { code, output, errors, readDocument: <T>() => JSON.parse(output) as T }
}
