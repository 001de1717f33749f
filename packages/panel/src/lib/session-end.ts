/** What is to be forgotten when a session ends; who keeps something of it says so. */
const forgetting: (() => void)[] = []

export function atSessionEnd(forget: () => void): void {
  forgetting.push(forget)
}

export function tellSessionEnd(): void {
  for (const forget of forgetting) forget()
}
