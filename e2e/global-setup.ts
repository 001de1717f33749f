/** One server with the samples for all tests, on its own folder and port. */
import { startServer, trialPassword } from '../scripts/lib/server-process.ts'

export default async function startTestServer(): Promise<() => Promise<void>> {
  // The samples end two weeks ago: tests enter prices of the days after that, and none in the future.
  const day = new Date(Date.now() - 14 * 86_400_000).toISOString().slice(0, 10)
  // It answers for minutes, unlike the servers that single tests start: the optimizing compiler pays off.
  const server = await startServer({ seed: 'samples', isAsInstalled: true, env: { SEED_DATE: day } })
  process.env['JOURNEY_URL'] = server.url
  process.env['JOURNEY_PASSWORD'] = trialPassword
  process.env['JOURNEY_DATA'] = server.dataDir
  return server.close
}
