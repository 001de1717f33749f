/** Callbacks at the end of a session, for code that stores data of the user. */
const sessionEndHandlers: (() => void)[] = []

export function onSessionEnd(handler: () => void): void {
  sessionEndHandlers.push(handler)
}

export function emitSessionEnd(): void {
  for (const handler of sessionEndHandlers) handler()
}

/** Questions before a sign-out, from parts of the page with unsent data. */
const signOutBlockers: ((continueSignOut: () => void) => boolean)[] = []

/**
 * Registers a question before a sign-out.
 *
 * @param blocker - Receives the function that signs out, and returns whether it asks first; if so, it
 *   signs the user out itself.
 * @returns A function that removes the question.
 */
export function blockSignOut(blocker: (continueSignOut: () => void) => boolean): () => void {
  signOutBlockers.push(blocker)
  return () => {
    const index = signOutBlockers.indexOf(blocker)
    if (index >= 0) signOutBlockers.splice(index, 1)
  }
}

/** Returns whether the question that was registered last delays the sign-out. */
export const isSignOutDelayed = (continueSignOut: () => void): boolean =>
  signOutBlockers.at(-1)?.(continueSignOut) ?? false
