/** What is to be forgotten when a session ends; who keeps something of it says so. */
const forgetting: (() => void)[] = []

export function atSessionEnd(forget: () => void): void {
  forgetting.push(forget)
}

export function tellSessionEnd(): void {
  for (const forget of forgetting) forget()
}

/** What has to be asked before one signs out, by who holds something that would stay behind. */
let question: ((leave: () => void) => boolean) | undefined

/** `asks` is given the way out, and says whether it asks first; then it goes that way itself. Out: its end. */
export function beforeSignOut(asks: (leave: () => void) => boolean): () => void {
  question = asks
  return () => {
    if (question === asks) question = undefined
  }
}

export const holdsSignOut = (leave: () => void): boolean => question?.(leave) ?? false
