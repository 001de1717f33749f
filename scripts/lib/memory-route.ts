/**
 * Loaded before the server by the fuzz proof: gives its Fastify one route more, which collects garbage and says what
 * memory the process holds. It exists in that child alone, which listens on this machine only.
 */
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What this file needs of Fastify; the instance comes untyped over the channel. */
interface RouteHost {
  get: (path: string, handler: () => Promise<NodeJS.MemoryUsage>) => unknown
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const known = new WeakSet<object>()

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: RouteHost }
  if (known.has(fastify)) return
  known.add(fastify)
  fastify.get('/fuzz/memory', async () => {
    // What finalisers and timers let go of in one round is free in the next.
    for (let round = 0; round < 4; round += 1) {
      collect()
      await pause(250)
    }
    return process.memoryUsage()
  })
})
