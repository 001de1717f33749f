/** What is to be forgotten when a session ends; who keeps something of it says so. */
const forgetting: (() => void)[] = []

export function atSessionEnd(forget: () => void): void {
  forgetting.push(forget)
}

export function tellSessionEnd(): void {
  for (const forget of forgetting) forget()
}

/** Questions before a sign-out, by the parts of the page that hold something which would stay behind. */
const questions: ((leave: () => void) => boolean)[] = []

/**
 * Registers a question before a sign-out.
 *
 * @param asks - Receives the way out, answers whether it asks first, and then goes that way itself.
 * @returns A function that ends it.
 */
export function beforeSignOut(asks: (leave: () => void) => boolean): () => void {
  questions.push(asks)
  return () => {
    const place = questions.indexOf(asks)
    if (place >= 0) questions.splice(place, 1)
  }
}

/** Whether the last question that was registered holds the sign-out. */
export const holdsSignOut = (leave: () => void): boolean => questions.at(-1)?.(leave) ?? false
