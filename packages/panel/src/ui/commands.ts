/** Commands of the open page: screens register them, the palette lists them. */
import { useEffect, useId } from 'react'

export interface Command {
  id: string
  /** Title of the command in the user's language. */
  title: string
  run: () => void
  /** Key caps of the shortcut with the same effect. */
  keys?: readonly string[]
  /** The command is available now; always when absent. */
  when?: boolean
}

const registered = new Map<string, readonly Command[]>()

/** Registers commands while the component is shown. */
export function useCommands(commands: readonly Command[]): void {
  const id = useId()
  useEffect(() => {
    registered.set(id, commands)
    return () => void registered.delete(id)
  })
}

/** The available commands, in the order in which the screens were opened. */
export function currentCommands(): Command[] {
  return [...registered.values()].flat().filter(({ when }) => when !== false)
}
