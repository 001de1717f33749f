/**
 * Error of a service that the server needs and that does not answer: the client receives 503 and may retry;
 * the log has the reason.
 */

/** Error of an unavailable service; its message is for the log and contains no secret. */
export class UnavailableError extends Error {
  override name = 'Unavailable'
}
