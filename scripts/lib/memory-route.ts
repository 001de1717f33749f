/**
 * Module that the fuzz proof loads before the server: it adds a route to its Fastify that collects garbage
 * and reports the memory of the process. The route exists only in this child process, which listens on the
 * local machine only.
 */
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Part of a Fastify instance that the memory route uses; the channel passes the instance without a type. */
interface RouteHost {
  get: (path: string, handler: () => Promise<NodeJS.MemoryUsage>) => unknown
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const extendedHosts = new WeakSet<object>()

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: RouteHost }
  if (extendedHosts.has(fastify)) return
  extendedHosts.add(fastify)
  fastify.get('/fuzz/memory', async () => {
    // Garbage is collected in several rounds: memory that finalisers and timers release in one round is free
    // in the next. The rounds take longer than the pause after which the thread of the embedded database frees its own.
    for (let round = 0; round < 8; round += 1) {
      collectGarbage()
      await pause(250)
    }
    return process.memoryUsage()
  })
})
