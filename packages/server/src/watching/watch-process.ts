/** Measures the process and its disk. */
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { onSignal } from '../signals.ts'
import type { Instruments } from './instruments.ts'

const nanoseconds = 1e9
const microseconds = 1e6

/** The memory that the process may use; the system reports no limit as 0 or as more than the machine has. */
function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/**
 * Measures the process at every scrape.
 *
 * @param instruments - The instruments of the metrics.
 * @param dataDir - Folder on the disk whose free space is measured.
 * @returns The function that ends the measurements.
 */
export function watchProcess(instruments: Instruments, dataDir: string): () => void {
  const startTime = performance.timeOrigin / 1_000
  instruments.read('dala_process_start_time_seconds', (result) => result.observe(startTime))
  instruments.read('dala_process_memory_limit_bytes', (result) => result.observe(memoryLimit()))
  instruments.read('dala_process_memory_bytes', (result) => {
    const { rss, heapUsed, external } = process.memoryUsage()
    result.observe(rss, { kind: 'resident' })
    result.observe(heapUsed, { kind: 'heap' })
    result.observe(external, { kind: 'external' })
  })
  instruments.read('dala_process_cpu_seconds_total', (result) => {
    const { user, system } = process.cpuUsage()
    result.observe(user / microseconds, { mode: 'user' })
    result.observe(system / microseconds, { mode: 'system' })
  })
  instruments.read('dala_disk_free_bytes', async (result) => {
    const { bavail, bsize } = await statfs(dataDir)
    result.observe(bavail * bsize)
  })
  instruments.read('dala_disk_size_bytes', async (result) => {
    const { blocks, bsize } = await statfs(dataDir)
    result.observe(blocks * bsize)
  })
  let diskWrite: number | undefined
  const endDiskWrites = onSignal('diskWrite', ({ seconds }) => {
    diskWrite = seconds
  })
  instruments.read('dala_disk_write_seconds', (result) => {
    if (diskWrite !== undefined) result.observe(diskWrite)
  })

  const delay = monitorEventLoopDelay()
  delay.enable()
  instruments.read('dala_event_loop_delay_seconds', (result) => {
    result.observe(delay.percentile(50) / nanoseconds, { quantile: '0.5' })
    result.observe(delay.percentile(99) / nanoseconds, { quantile: '0.99' })
    result.observe(delay.max / nanoseconds, { quantile: '1' })
    delay.reset()
  })

  const addPause = instruments.histogram('dala_garbage_collection_duration_seconds')
  const pauses = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) addPause(duration / 1_000, {})
  })
  pauses.observe({ entryTypes: ['gc'] })
  return () => {
    endDiskWrites()
    delay.disable()
    pauses.disconnect()
  }
}
