/** A backup that cannot be made or used; the message is one sentence for the terminal. */
export class BackupError extends Error {
  override name = 'BackupError'
}
