/** Commands of the open page: screens register them, the palette lists them. */
import { useEffect, useId } from 'react'

export interface Command {
  id: string
  /** Title of the command in the user's language. */
  title: string
  run: () => void
  /** Keys of the shortcut that does the same as the command. */
  keys?: readonly string[]
  /** Whether the command is available now; always when absent. */
  isActive?: boolean
}

const registeredCommands = new Map<string, readonly Command[]>()

/** Registers commands of the page while the component is shown. */
export function useCommands(commands: readonly Command[]): void {
  const id = useId()
  useEffect(() => {
    registeredCommands.set(id, commands)
    return () => void registeredCommands.delete(id)
  })
}

/** Available commands of the page, in the order in which the screens were opened. */
export function currentCommands(): Command[] {
  return [...registeredCommands.values()].flat().filter(({ isActive: isEnabled }) => isEnabled !== false)
}
