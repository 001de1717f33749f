/**
 * `npm run clients`: the tests of existing Strapi v4 clients against a real server, on each database; `npm
 * test` includes them.
 */
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { runVitest } from './run-vitest.ts'
import { startServer } from '../lib/server-process.ts'
import { runSteps, skippedTally, type Step, type CountTally } from '../lib/step.ts'

/** Runs the client tests against a server with the reference lists; they create all other data themselves. */
async function journeysOn(env: Readonly<Record<string, string>>): Promise<CountTally> {
  const server = await startServer({ seed: 'reference', env: { LOG_LEVEL: 'warn', ...env } })
  try {
    const tally = await runVitest('clients', { ...process.env, CLIENTS_SERVER: server.url }, { show: false })
    return tally.failed > 0 ? { ...tally, output: `${tally.output ?? ''}\n${server.output()}` } : tally
  } finally {
    await server.close()
  }
}

export const clientSteps: readonly Step[] = [
  { name: 'Strapi clients on PGlite', independent: true, run: () => journeysOn({}) },
  {
    name: 'Strapi clients on PostgreSQL',
    independent: true,
    run: async () => {
      if (findBinaries() === undefined) {
        const output = 'Skipped: this half needs installed PostgreSQL programs (initdb, postgres).'
        return { ...skippedTally, output }
      }
      const cluster = await startCluster()
      try {
        return await journeysOn({ DATABASE_URL: cluster.url })
      } finally {
        await cluster.stop()
      }
    },
  },
]

if (import.meta.main) {
  const { failed } = await runSteps(clientSteps)
  process.exit(failed > 0 ? 1 : 0)
}
