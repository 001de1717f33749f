/** The thread of the embedded database: opens it, and answers one message after another. */
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { openPglite, runMessage } from './embedded-engine.ts'
import type { Answer, ThreadRequest, ThreadData } from './embedded-thread.ts'

const { folder, progress } = workerData as ThreadData
const port = parentPort
if (!port) throw new Error('This file runs in a thread of its own')

/** Waits for the end of the thread: the writer of `progress` is about to end it. */
const waitForEnd = () => Atomics.wait(progress, 1, 0)

const post = (answer: Answer, transferredBuffers: ArrayBuffer[] = []) => port.postMessage(answer, transferredBuffers)

/** The size of the database's memory in bytes. Its module has types only with those of Emscripten. */
function memoryOf({ Module }: { readonly Module: unknown }): number {
  const { HEAPU8 } = Module as { HEAPU8: Uint8Array }
  return HEAPU8.byteLength
}

/** Milliseconds after which memory is freed that only opening or a copy needed. */
const freeMemoryAfter = 1_500

/**
 * Frees memory of several times the size of the database, which the thread would keep until it needs as much again.
 * The function is available when Node was started with `--expose-gc` (`npm start`).
 */
function freeMemorySoon(): void {
  setTimeout(
    () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    freeMemoryAfter,
  ).unref()
}

async function answer(pglite: PGlite, order: ThreadRequest): Promise<void> {
  if (order.kind === 'close') {
    await pglite.close()
    post({ kind: 'closed' })
    port?.close()
    return
  }
  if (order.kind === 'copy') {
    // Compressing here would take ten times as long, in which no statement is answered.
    const bytes = await (await pglite.dumpDataDir('none')).arrayBuffer()
    post({ kind: 'copied', bytes }, [bytes])
    freeMemorySoon()
    return
  }
  const { number, message } = order
  if (Atomics.compareExchange(progress, 0, 0, number) !== 0) waitForEnd()
  const bytes = await runMessage(pglite, message)
  if (Atomics.compareExchange(progress, 0, number, 0) !== number) waitForEnd()
  post({ kind: 'answered', bytes, memory: memoryOf(pglite) }, [bytes.buffer])
}

const pglite = await openPglite(folder)
freeMemorySoon()
let lastWork = Promise.resolve()
port.on('message', (order: ThreadRequest) => {
  // Errors of statements are part of the answer; a throw means the end of the database.
  lastWork = lastWork.then(() => answer(pglite, order))
})
post({ kind: 'opened', memory: memoryOf(pglite) })
