/** CPU time that processes have used, as the kernel counts it. */
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of a tick, in which the kernel counts; a hundred ticks a second on every usual machine. */
const tickMs = 10

interface ProcessTimes {
  parent: number
  /** CPU milliseconds of the process, with those of its ended threads. */
  own: number
  /** CPU milliseconds of its ended child processes. */
  children: number
}

/** Reads the times of a process; undefined when it has ended. */
function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index],
    )
    return { parent, own: (user + system) * tickMs, children: (childUser + childSystem) * tickMs }
  } catch {
    return undefined
  }
}

/** Returns the CPU milliseconds that a process has used, with its threads. */
export const cpuOf = (pid: number): number => readTimes(pid)?.own ?? 0

/** Returns the CPU milliseconds of the parent of a process and of all its children, also of those that have ended. */
export function cpuOfFamily(pid: number): number {
  const parent = readTimes(pid)?.parent ?? 0
  const { own = 0, children = 0 } = readTimes(parent) ?? {}
  const livingTimes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
  return livingTimes.reduce((sum, times) => sum + (times?.parent === parent ? times.own : 0), own + children)
}
