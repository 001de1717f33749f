import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildArrivals } from './arrivals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('emits the newest arrived message of each room, within the rate limit of the server', () => {
  const emittedArrivals: { room: number; seq: number; at: number }[] = []
  const arrivals = buildArrivals((room, seq) => emittedArrivals.push({ room, seq, at: Date.now() }))
  const rooms = Array.from({ length: 30 }, (_, index) => index + 1)
  for (const seq of [3, 5, 4]) for (const room of rooms) arrivals.add(room, seq)
  vi.runAllTimers()
  expect(emittedArrivals.map(({ room, seq }) => [room, seq])).toEqual(rooms.map((room) => [room, 5]))
  for (const { at } of emittedArrivals)
    expect(emittedArrivals.filter((arrival) => arrival.at >= at && arrival.at < at + 1_000).length).toBeLessThan(15)
})

it('emits no arrivals after they were stopped', () => {
  const emitSpy = vi.fn<() => void>()
  const arrivals = buildArrivals(emitSpy)
  arrivals.add(1, 1)
  arrivals.stop()
  vi.runAllTimers()
  expect(emitSpy).not.toHaveBeenCalled()
})
