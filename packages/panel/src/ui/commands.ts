/** What can be done on the page that is open: screens offer it, the palette shows it. */
import { useEffect, useId } from 'react'

export interface Command {
  id: string
  /** In the reader's words. */
  title: string
  run: () => void
  /** What is printed on the keys that do the same. */
  keys?: readonly string[]
  /** Whether it can be done now; always, when absent. */
  when?: boolean
}

const offered = new Map<string, readonly Command[]>()

/** Offers commands as long as the component is shown. */
export function useCommands(commands: readonly Command[]): void {
  const id = useId()
  useEffect(() => {
    offered.set(id, commands)
    return () => void offered.delete(id)
  })
}

/** What can be done now, in the order in which the screens came up. */
export function commandsNow(): Command[] {
  return [...offered.values()].flat().filter(({ when }) => when !== false)
}
