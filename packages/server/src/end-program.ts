/** Ends the program without waiting for its compiler. */
import { flushCompileCache } from 'node:module'

/**
 * Ends the program after its handlers of an end. `process.exit` waits until the optimizing compiler has finished a
 * function of the embedded database, which takes seconds on a slow machine. A program that replaces this one and does
 * nothing ends all threads at once; it cannot return an error, so failures wait.
 *
 * @param code - The exit code, 0 for success.
 */
export function endProgram(code: number): never {
  if (code !== 0 || process.platform === 'win32') process.exit(code)
  process.emit('exit', code)
  flushCompileCache()
  process.execve?.(process.execPath, [process.execPath, '--eval', ''], {})
  process.exit(code)
}
