import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limitPackets } from './socket-handshake.ts'

describe('the limit of packets of a socket', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** Opens a connection; `send` delivers packets. */
  function openConnection() {
    const listeners: (() => void)[] = []
    const close = vi.fn<() => void>()
    limitPackets({ on: (_event, listener) => listeners.push(listener), close })
    const send = (count: number) => {
      for (let packet = 0; packet < count; packet += 1) for (const listener of listeners) listener()
    }
    return { close, send }
  }

  test('cuts a connection with more than twenty packets in a second', () => {
    const { close, send } = openConnection()
    send(20)
    expect(close).not.toHaveBeenCalled()
    send(1)
    expect(close).toHaveBeenCalledOnce()
  })

  test('counts anew each second, also when the clock has gone back an hour', () => {
    const { close, send } = openConnection()
    send(20)
    vi.setSystemTime(Date.now() - 3_600_000)
    for (let second = 0; second < 3; second += 1) {
      vi.advanceTimersByTime(1_000)
      send(20)
    }
    expect(close).not.toHaveBeenCalled()
  })
})
