/** Starts the server: `dala start`. */
import type { CommandResult } from './command-line.ts'

/**
 * Starts the server, which writes its own messages and runs until a signal ends it.
 *
 * @returns Nothing to show, when people can sign in.
 */
export async function startServer(): Promise<CommandResult> {
  await import('../main.ts')
  return { document: undefined }
}
