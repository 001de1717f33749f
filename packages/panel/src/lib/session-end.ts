/** Callbacks at the end of a session, for code that stores data of the user. */
const forgetting: (() => void)[] = []

export function atSessionEnd(forget: () => void): void {
  forgetting.push(forget)
}

export function emitSessionEnd(): void {
  for (const forget of forgetting) forget()
}

/** Questions before a sign-out, from parts of the page with unsent data. */
const questions: ((leave: () => void) => boolean)[] = []

/**
 * Registers a question before a sign-out.
 *
 * @param asks - Receives the function that signs out, and returns whether it asks first; if so, it calls that
 *   function itself.
 * @returns A function that removes the question.
 */
export function beforeSignOut(asks: (leave: () => void) => boolean): () => void {
  questions.push(asks)
  return () => {
    const place = questions.indexOf(asks)
    if (place >= 0) questions.splice(place, 1)
  }
}

/** Whether the question that was registered last delays the sign-out. */
export const delaysSignOut = (leave: () => void): boolean => questions.at(-1)?.(leave) ?? false
