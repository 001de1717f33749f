/** A socket client for tests: connects and records the events it receives. */
import { io, type Socket } from 'socket.io-client'

interface ReceivedEvent {
  status: string
  room: number
  rev: number
  prev: number
  data: Record<string, unknown> & { id: number; text?: string | null }
}

export interface SocketListener {
  socket: Socket
  events: ReceivedEvent[]
  /** Resolves with all events of the client so far once one of them contains this text. */
  until(text: string): Promise<ReceivedEvent[]>
  /** Resolves when the server has ended the connection. */
  ended: Promise<string>
}

const opened = new Set<Socket>()

/** Ends all socket connections of a test. */
export function disconnectAll(): void {
  for (const socket of opened) socket.disconnect()
  opened.clear()
}

/**
 * Connects a socket client.
 *
 * @throws The refusal of the handshake.
 */
export async function connectAs(address: string, auth: object, options: object = {}): Promise<SocketListener> {
  const socket = io(address, { auth, transports: ['websocket'], reconnection: false, forceNew: true, ...options })
  opened.add(socket)
  const events: ReceivedEvent[] = []
  const waiting = new Set<() => void>()
  socket.on('update', (event: ReceivedEvent) => {
    events.push(event)
    for (const check of waiting) check()
  })
  const ended = new Promise<string>((resolve) => void socket.once('disconnect', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const until = (text: string) =>
    new Promise<ReceivedEvent[]>((resolve) => {
      const check = () => {
        if (!events.some(({ data }) => data.text === text)) return
        waiting.delete(check)
        resolve([...events])
      }
      waiting.add(check)
      check()
    })
  return { socket, events, until, ended }
}
