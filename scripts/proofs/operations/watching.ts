/**
 * Proof of the metrics against a real Prometheus: it scrapes a server under a known number of requests, loads
 * the alert rules of `deploy/prometheus`, and fires alerts when the database is away and when the server ends.
 * `node scripts/proofs/operations/watching.ts`
 */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseRoute } from '../../../packages/server/src/testing/database-route.ts'
import { startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { freePort, repositoryRoot, run, stop } from '../../lib/processes.ts'
import { startServer, temporaryFolder } from '../../lib/server-process.ts'

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

async function rehearse(): Promise<void> {
  const folder = temporaryFolder('prometheus')
  const [metricsPort, prometheusPort] = [await freePort(), await freePort()]
  const configuration = join(folder, 'prometheus.yml')
  const scraped = readFileSync(join(rulesFolder, 'prometheus.yml'), 'utf8')
  writeFileSync(configuration, scraped.replaceAll('15s', '1s').replace('127.0.0.1:9464', `127.0.0.1:${metricsPort}`))
  // Alerts of the rehearsal wait for a second instead of minutes.
  const rules = readFileSync(join(rulesFolder, 'alerts.yml'), 'utf8')
  writeFileSync(join(folder, 'alerts.yml'), rules.replaceAll(/for: \d+m/g, 'for: 1s'))

  const cluster = await startCluster()
  const route = new DatabaseRoute(cluster.url)
  await route.open()
  const server = await startServer({
    seed: 'none',
    env: { METRICS_PORT: String(metricsPort), DATABASE_URL: route.url },
  })
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
  const fired = (name: string) =>
    waitFor(`the alert ${name}`, async () =>
      (await ask('alerts')).data.alerts?.find(({ labels, state }) => labels.alertname === name && state === 'firing'),
    )
  const visit = (turn: number) => fetch(`${server.url}/api/news/${turn}`)
  try {
    await waitFor('the server as up', async () => ((await valueOf('up{job="dala"}')) === 1 ? true : undefined))
    console.log('   Prometheus scrapes the server')
    for (let turn = 0; turn < requestCount; turn += 1) await visit(turn + 1)
    const expression = 'sum(dala_http_request_duration_seconds_count{route="/api/news/:id"})'
    const counted = await waitFor('the requests', async () => {
      const value = await valueOf(expression)
      return value !== undefined && value >= requestCount ? value : undefined
    })
    if (counted !== requestCount) throw new Error(`Prometheus counts ${counted} of ${requestCount} requests`)
    console.log(`   Prometheus counts the ${requestCount} requests that were sent`)
    await route.cut()
    for (let turn = 0; turn < 20; turn += 1) await visit(turn + 1)
    await fired('DalaDatabaseErrors')
    console.log('   the alert DalaDatabaseErrors fires while the database is away')
    await route.open()
    await server.close()
    await fired('DalaDown')
    console.log('   the alert DalaDown fires after the end of the server')
  } finally {
    await server.close()
    await stop(prometheus)
    await route.cut()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs the proof and prints what was seen.
 *
 * @returns Whether all of it was seen, and whether Prometheus is absent.
 */
export async function watchedByPrometheus(): Promise<{ harmless: boolean; skipped: boolean }> {
  const tested = await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: rulesFolder })
  if (tested.code === 127) {
    console.log('   skipped: Prometheus is not installed (Debian package prometheus)')
    return { harmless: true, skipped: true }
  }
  if (tested.code !== 0) {
    console.log(tested.output)
    return { harmless: false, skipped: false }
  }
  try {
    await rehearse()
    return { harmless: true, skipped: false }
  } catch (error) {
    console.log(`   ${error instanceof Error ? error.message : String(error)}`)
    return { harmless: false, skipped: false }
  }
}

if (import.meta.main) process.exit((await watchedByPrometheus()).harmless ? 0 : 1)
