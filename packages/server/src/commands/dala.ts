/** The one entry for operators: `dala <command>` (decision 58). */
import { commands } from './command-list.ts'
import { runDala } from './run-command.ts'

const write = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(text)

process.exitCode = await runDala(commands, process.argv.slice(2), {
  environment: process.env,
  writeOutput: write(process.stdout),
  writeError: write(process.stderr),
})
