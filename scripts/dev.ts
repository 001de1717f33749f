/**
 * `npm run dev`: runs the server, restarted when its files change, and Vite with hot reload; both end
 * together.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { installedProgram, repositoryRoot, stop, addInstalledPrograms } from './lib/processes.ts'

function start(program: string, args: readonly string[], folder = '.'): ChildProcess {
  return spawn(program, args, { cwd: join(repositoryRoot, folder), stdio: 'inherit', env: addInstalledPrograms() })
}

const parts = [
  start(process.execPath, ['--watch', '--watch-preserve-output', 'packages/server/src/main.ts']),
  start(installedProgram('vite'), [], 'packages/panel'),
]

async function endAllProcesses(code: number): Promise<never> {
  await Promise.all(parts.map((childProcess) => stop(childProcess)))
  process.exit(code)
}

for (const childProcess of parts) childProcess.once('exit', (code) => void endAllProcesses(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAllProcesses(0))
