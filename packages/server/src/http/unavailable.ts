/** Something the server needs does not answer: the client hears 503 and may come again, the log hears why. */

/** The message is one sentence for the log; it names no secret. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}
