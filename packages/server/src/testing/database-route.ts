/** A route to the database server that tests cut, silence or disturb. */
import { connect, createServer, type Server, type Socket } from 'node:net'

/** What becomes of bytes that a program sends to the database. */
export type Fate = 'pass' | 'drop' | 'cut'

export class DatabaseRoute {
  #target: URL
  readonly #decide: (request: Buffer) => Fate
  readonly #openSockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  /** Whether connections stay open and transfer nothing, like those of a cut network. */
  isSilent = false

  /**
   * @param target - Address of the database.
   * @param decide - The fate of bytes that a program sends to the database; all of them pass when absent.
   */
  constructor(target: string, decide: (request: Buffer) => Fate = () => 'pass') {
    this.#target = new URL(target)
    this.#decide = decide
  }

  /** Address of the database on this route, once the route is open. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String(this.#port)
    return url.href
  }

  /** Opens the route; after a cut, at the same address. */
  async open(): Promise<void> {
    this.#server = createServer((socket) => this.#join(socket))
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address ? address.port : 0
  }

  /** Leads new connections to another database. */
  redirect(target: string): void {
    this.#target = new URL(target)
  }

  /** Closes the route with its connections. */
  async cut(): Promise<void> {
    const closedSignal = new Promise((resolve) => this.#server?.close(resolve))
    for (const socket of this.#openSockets) socket.destroy()
    await closedSignal
  }

  #join(socket: Socket): void {
    const onwardSocket = connect(Number(this.#target.port || 5_432), this.#target.hostname)
    for (const [sender, receiver] of [
      [socket, onwardSocket],
      [onwardSocket, socket],
    ] as const) {
      this.#openSockets.add(sender)
      sender.on('error', () => {})
      sender.once('close', () => {
        this.#openSockets.delete(sender)
        if (!this.isSilent) receiver.destroy()
      })
      sender.on('data', (bytes) => {
        const fate = this.isSilent ? 'drop' : sender === socket ? this.#decide(bytes) : 'pass'
        if (fate === 'cut') sender.destroy()
        else if (fate === 'pass') receiver.write(bytes)
      })
    }
  }
}
