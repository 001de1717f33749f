/** One server with the demo content for all journeys, on a folder and a port of its own. */
import { startServer, trialPassword } from '../scripts/server-process.ts'

export default async function startJourneyServer(): Promise<() => Promise<void>> {
  const server = await startServer({ seed: 'demo' })
  process.env['JOURNEY_URL'] = server.url
  process.env['JOURNEY_PASSWORD'] = trialPassword
  process.env['JOURNEY_DATA'] = server.dataDir
  return server.close
}
