import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { programEnvironment, quickFlag } from '../testing/program-environment.ts'
import { startCollector } from '../testing/trace-collector.ts'

// A loaded machine needs a while to start a program.
vi.setConfig({ testTimeout: 120_000 })

let child: ChildProcess | undefined
afterEach(() => void child?.kill('SIGKILL'))

// Prints a line for each loaded module of OpenTelemetry, in the main thread.
const preload = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) registerHooks({ resolve(specifier, context, next) {
  if (specifier.includes('@opentelemetry') || specifier.includes('watching/')) writeSync(1, 'loaded ' + specifier + '\\n')
  return next(specifier, context)
} })`)}`

/**
 * Starts the program on an empty folder, requests an address and stops it when it runs; returns its output and its
 * exit code.
 */
async function runServer(
  settings: Readonly<Record<string, string>>,
  address?: string,
): Promise<{ output: string; code: unknown }> {
  const startedProcess = spawn(
    process.execPath,
    [quickFlag, '--import', preload, join(import.meta.dirname, '../main.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: programEnvironment(mkdtempSync(join(tmpdir(), 'dala-loading-')), { PORT: '0', ...settings }),
    },
  )
  child = startedProcess
  let output = ''
  let isStopped = false
  const readPart = (part: Buffer) => {
    output += part.toString()
    if (isStopped || !output.includes('Data folder')) return
    // A second signal would end the program at once.
    isStopped = true
    const stop = () => void startedProcess.kill('SIGTERM')
    const [, url = ''] = /is running at (\S+)/.exec(output) ?? []
    if (address === undefined) stop()
    else fetch(`${url}${address}`).then(stop, stop)
  }
  startedProcess.stdout.on('data', readPart)
  startedProcess.stderr.on('data', readPart)
  const [code] = (await once(startedProcess, 'close')) as unknown[]
  return { output, code }
}

test('loads no module of metrics and traces while neither a port nor a collector is set', async () => {
  const { output, code } = await runServer({})
  expect(output).toContain('Dala is running')
  expect([code, output]).toEqual([0, expect.not.stringContaining('loaded ')])
})

test('loads the modules of traces for a collector, and delivers the last spans when it stops', async () => {
  const collector = await startCollector()
  try {
    const { output, code } = await runServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, '/health')
    expect([code, output]).toEqual([0, expect.stringContaining('watching/open-tracing.ts')])
    expect(output).not.toContain('watching/open-watching.ts')
    expect(collector.spans().map(({ name }) => name)).toContain('GET /health')
  } finally {
    await collector.close()
  }
})

test('starts and stops while the collector is away, with one line in its log', async () => {
  const collector = await startCollector()
  await collector.close()
  const { output, code } = await runServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, '/health')
  expect([code, output]).toEqual([0, expect.stringContaining('Dala is running')])
  expect(output.split('\n').filter((line) => line.includes('traces are not delivered')).length).toBeLessThanOrEqual(1)
})

test('names a METRICS_PORT that is in use, and does not start', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const { output, code } = await runServer({ METRICS_PORT: `${port}` })
    expect(output).toContain(`The address 127.0.0.1:${port} is already in use.`)
    expect([code, output]).toEqual([1, expect.not.stringContaining('Dala is running')])
  } finally {
    server.close()
  }
})
