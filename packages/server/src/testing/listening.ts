/** A socket client for tests: connects and records the events it receives. */
import { io, type Socket } from 'socket.io-client'

interface Heard {
  status: string
  room: number
  rev: number
  prev: number
  data: Record<string, unknown> & { id: number; text?: string | null }
}

export interface Ear {
  socket: Socket
  events: Heard[]
  /** Resolves with all events so far once one of them contains this text. */
  until(text: string): Promise<Heard[]>
  /** Resolves when the server has ended the connection. */
  ended: Promise<string>
}

const opened = new Set<Socket>()

/** Ends all connections of a test. */
export function disconnectAll(): void {
  for (const socket of opened) socket.disconnect()
  opened.clear()
}

/**
 * Connects.
 *
 * @throws The refusal of the handshake.
 */
export async function connectAs(address: string, auth: object, options: object = {}): Promise<Ear> {
  const socket = io(address, { auth, transports: ['websocket'], reconnection: false, forceNew: true, ...options })
  opened.add(socket)
  const events: Heard[] = []
  const waiting = new Set<() => void>()
  socket.on('update', (event: Heard) => {
    events.push(event)
    for (const look of waiting) look()
  })
  const ended = new Promise<string>((resolve) => void socket.once('disconnect', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const until = (text: string) =>
    new Promise<Heard[]>((resolve) => {
      const look = () => {
        if (!events.some(({ data }) => data.text === text)) return
        waiting.delete(look)
        resolve([...events])
      }
      waiting.add(look)
      look()
    })
  return { socket, events, until, ended }
}
