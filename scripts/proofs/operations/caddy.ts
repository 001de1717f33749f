/** Runs Caddy with the settings of `deploy/` before several instances. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, repositoryRoot, stop } from '../../lib/processes.ts'

const startLimit = 20_000

/** Returns the installed program; undefined when there is none. */
export const findCaddy = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin']
    .map((folder) => join(folder, 'caddy'))
    .find((file) => existsSync(file))

/**
 * Starts Caddy on a free port of this machine.
 *
 * @param program - The program.
 * @param ports - Ports of the instances.
 * @returns The address, and the end of it.
 */
export async function startCaddy(program: string, ports: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'dala-caddy-'))
  const port = await freePort()
  const file = join(folder, 'Caddyfile')
  const example = readFileSync(join(repositoryRoot, 'deploy/caddy/several.Caddyfile'), 'utf8')
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${example}`)
  const child = spawn(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      HOME: folder,
      DALA_HOST: `http://127.0.0.1:${port}`,
      DALA_UPSTREAMS: ports.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
    },
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)))
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + startLimit
  while ((await fetch(`${url}/ready`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop(child)
      throw new Error(`Caddy passed no request on:\n${output}`)
    }
    await pause(50)
  }
  return {
    url,
    close: async () => {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
