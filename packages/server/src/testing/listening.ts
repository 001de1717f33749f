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
  endedSignal: Promise<string>
}

const openedSockets = new Set<Socket>()

/** Ends all socket connections of a test. */
export function disconnectSockets(): void {
  for (const socket of openedSockets) socket.disconnect()
  openedSockets.clear()
}

/**
 * Connects a socket client.
 *
 * @throws The refusal of the handshake.
 */
export async function connectSocket(address: string, auth: object, options: object = {}): Promise<SocketListener> {
  const socket = io(address, { auth, transports: ['websocket'], reconnection: false, forceNew: true, ...options })
  openedSockets.add(socket)
  const events: ReceivedEvent[] = []
  const waitingChecks = new Set<() => void>()
  socket.on('update', (event: ReceivedEvent) => {
    events.push(event)
    for (const runCheck of waitingChecks) runCheck()
  })
  const endedSignal = new Promise<string>((resolve) => void socket.once('disconnect', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const waitUntil = (text: string) =>
    new Promise<ReceivedEvent[]>((resolve) => {
      const checkReceivedEvents = () => {
        if (!events.some(({ data }) => data.text === text)) return
        waitingChecks.delete(checkReceivedEvents)
        resolve([...events])
      }
      waitingChecks.add(checkReceivedEvents)
      checkReceivedEvents()
    })
  return { socket, events, until: waitUntil, endedSignal }
}
