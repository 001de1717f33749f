/** A socket for connections on which several statements leave at once. */
import { Socket } from 'node:net'

/**
 * Sends what is written within one turn of the event loop as one message: the driver writes each statement on its own,
 * and a system call costs more than a statement.
 */
export class JoinedSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork())
  }
}
