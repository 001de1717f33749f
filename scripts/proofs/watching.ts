/**
 * Proof of the metrics against a real Prometheus: it scrapes a server under a known number of requests, loads
 * the alert rules of `deploy/prometheus`, and fires an alert when the server ends. Ends with 2 without Prometheus.
 * `node scripts/proofs/watching.ts`
 */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, repositoryRoot, run, stop } from '../lib/processes.ts'
import { startServer, temporaryFolder } from '../lib/server-process.ts'

const requestCount = 200
/** Milliseconds in which Prometheus must see a change. */
const limit = 60_000
const rulesFolder = join(repositoryRoot, 'deploy/prometheus')

interface Answer {
  data: { result?: { value: [number, string] }[]; alerts?: { labels: { alertname: string }; state: string }[] }
}

/** Repeats a check until it returns a value. Throws after a minute. */
async function waitFor<T>(what: string, check: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + limit
  while (Date.now() < deadline) {
    const found = await check().catch(() => undefined)
    if (found !== undefined) return found
    await pause(250)
  }
  throw new Error(`Prometheus did not show ${what} within ${limit / 1_000} s`)
}

async function proveWatching(): Promise<void> {
  const folder = temporaryFolder('prometheus')
  const [metricsPort, prometheusPort] = [await freePort(), await freePort()]
  const configuration = join(folder, 'prometheus.yml')
  const scraped = readFileSync(join(rulesFolder, 'prometheus.yml'), 'utf8')
  writeFileSync(configuration, scraped.replaceAll('15s', '1s').replace('127.0.0.1:9464', `127.0.0.1:${metricsPort}`))
  // Alerts of the rehearsal wait for a second instead of minutes.
  const rules = readFileSync(join(rulesFolder, 'alerts.yml'), 'utf8')
  writeFileSync(join(folder, 'alerts.yml'), rules.replaceAll(/for: \d+m/g, 'for: 1s'))

  const server = await startServer({ seed: 'none', env: { METRICS_PORT: String(metricsPort) } })
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const ask = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/${path}`)).json()) as Answer
  const valueOf = async (expression: string) => {
    const { data } = await ask(`query?query=${encodeURIComponent(expression)}`)
    const [series] = data.result ?? []
    return series && Number(series.value[1])
  }
  try {
    await waitFor('the server as up', async () => ((await valueOf('up{job="dala"}')) === 1 ? true : undefined))
    console.log('Prometheus scrapes the server.')
    for (let turn = 0; turn < requestCount; turn += 1) await fetch(`${server.url}/api/news/${turn + 1}`)
    const expression = 'sum(dala_http_request_duration_seconds_count{route="/api/news/:id"})'
    const counted = await waitFor('the requests', async () => {
      const value = await valueOf(expression)
      return value !== undefined && value >= requestCount ? value : undefined
    })
    if (counted !== requestCount) throw new Error(`Prometheus counts ${counted} of ${requestCount} requests`)
    console.log(`Prometheus counts the ${requestCount} requests that were sent.`)
    await server.close()
    await waitFor('the alert DalaDown', async () =>
      (await ask('alerts')).data.alerts?.find(
        ({ labels, state }) => labels.alertname === 'DalaDown' && state === 'firing',
      ),
    )
    console.log('The alert DalaDown fires after the end of the server.')
  } finally {
    await server.close()
    await stop(prometheus)
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const tested = await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: rulesFolder, show: true })
  if (tested.code === 127) {
    console.log('Prometheus is not installed: apt-get install prometheus (Debian), or https://prometheus.io/download')
    process.exit(2)
  }
  if (tested.code !== 0) process.exit(1)
  await proveWatching()
}
