/**
 * Program that opens a packed embedded database and prints its schema and the numbers of its rows. It is a process
 * of its own because opening takes the processor for seconds, and a damaged file may end the process.
 */
import { terminalMessage } from '../open-data.ts'
import { readImage } from './verify.ts'

try {
  process.stdout.write(JSON.stringify(await readImage(process.argv[2] ?? '')))
} catch (error) {
  process.stderr.write(terminalMessage(error, 'The copy cannot be read'))
  process.exitCode = 1
}
