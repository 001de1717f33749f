import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DiskProbe, followDiskLatency, writeToDisk } from './disk-latency.ts'

/** A disk that stores a write when the test says so, and a clock that the test moves. */
function startDisk() {
  let now = 0
  let pendingWrite = Promise.withResolvers<void>()
  let writeCount = 0
  const probe = new DiskProbe({
    write: () => {
      writeCount += 1
      return pendingWrite.promise
    },
    now: () => now,
  })
  const latency = followDiskLatency()
  onTestFinished(latency.close)
  return {
    probe,
    latency,
    writeCount: () => writeCount,
    pass: (milliseconds: number) => (now += milliseconds),
    /** Measures a write that the disk stores, or fails to store, after some time. */
    measure: async (milliseconds: number, failure?: Error) => {
      pendingWrite = Promise.withResolvers<void>()
      const measuring = probe.measure()
      now += milliseconds
      if (failure) pendingWrite.reject(failure)
      else pendingWrite.resolve()
      await measuring
    },
  }
}

describe('the latency of the disk', () => {
  it('is the faster one of the last two writes, and unknown before two were measured', async () => {
    const { latency, measure } = startDisk()
    const read: (number | null)[] = []
    for (const milliseconds of [4, 900, 1_100, 7]) {
      await measure(milliseconds)
      read.push(latency.read())
    }
    expect(read).toEqual([null, 4, 900, 7])
  })

  it('grows while the disk does not answer, and begins no second write meanwhile', async () => {
    const { probe, latency, pass, writeCount } = startDisk()
    void probe.measure()
    for (const milliseconds of [3_000, 3_000]) {
      pass(milliseconds)
      await probe.measure()
    }
    expect([latency.read(), writeCount()]).toEqual([3_000, 1])
  })

  it('leaves out a write that fails, and measures the next one', async () => {
    const { latency, measure } = startDisk()
    await measure(5)
    await expect(measure(2_000, new Error('ENOSPC'))).rejects.toThrow('ENOSPC')
    await measure(6)
    expect(latency.read()).toBe(5)
  })

  it('is measured with one block, whose file does not grow', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dala-latency-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    await writeToDisk(dataDir)
    await writeToDisk(dataDir)
    expect(statSync(join(dataDir, 'disk-test')).size).toBe(4_096)
  })
})
