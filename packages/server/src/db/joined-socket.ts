/** A socket for connections on which several statements are sent together. */
import { Socket } from 'node:net'

/**
 * Sends everything that is written within one turn of the event loop as one message. The driver writes each
 * statement separately, and a system call costs more than a statement.
 */
export class JoinedSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork())
  }
}
