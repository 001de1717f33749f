/**
 * Something that the server needs does not answer: the
 * client receives 503 and may retry; the log has the reason.
 */

/** The message is one sentence for the log and contains no secret. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}
