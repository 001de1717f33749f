/** The slowest shapes of statements of the last 24 hours, in the memory of this process and without any values. */

/** Milliseconds from which a statement is slow. */
export const slowMs = 500
const mostShapes = 20
const mostText = 600
/** Signs of a statement that are read; the text of an import may be very long. */
const mostRead = 10_000
const hourMs = 3_600_000
const keptHours = 24

/** A shape of slow statements, as the System page lists it. */
export interface SlowStatement {
  /** Text without parameters, literals and numbers. */
  text: string
  count: number
  /** How many of them were ended by a time limit. */
  cancelled: number
  slowest_ms: number
  total_ms: number
  last_at: string
}

interface HourOfShape {
  hour: number
  count: number
  cancelled: number
  slowest: number
  total: number
  lastAt: number
}

const isCancelled = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '57014'

/**
 * Returns the shape of a statement: its text without literals, numbers, comments and lists of parameters, shortened.
 *
 * @param sql - The text as it was sent.
 */
export function shapeOf(sql: string): string {
  const text = sql
    .slice(0, mostRead)
    // An open literal at the end was cut.
    .replaceAll(/\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|'(?:[^']|'')*(?:'|$)/g, "'…'")
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
    .replaceAll(/(?<![\w$.])\d+(?:\.\d+)?/g, '?')
    .replaceAll(/\$\d+(?:::[\w[\]]+)?(?:\s*,\s*\$\d+(?:::[\w[\]]+)?)+/g, '$…')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text
}

/** Adds up the hours of a shape. */
function sumOf(text: string, hours: readonly HourOfShape[]): SlowStatement {
  return {
    text,
    count: hours.reduce((sum, { count }) => sum + count, 0),
    cancelled: hours.reduce((sum, { cancelled }) => sum + cancelled, 0),
    slowest_ms: Math.round(slowestOf(hours)),
    total_ms: Math.round(hours.reduce((sum, { total }) => sum + total, 0)),
    last_at: new Date(Math.max(...hours.map(({ lastAt }) => lastAt))).toISOString(),
  }
}

const slowestOf = (hours: readonly HourOfShape[]): number => Math.max(...hours.map(({ slowest }) => slowest))

export class SlowStatements {
  readonly #isSerial: boolean
  readonly #clock: () => number
  readonly #shapes = new Map<string, HourOfShape[]>()
  #lastEnd = 0

  /**
   * Begins with an empty list.
   *
   * @param isSerial - Whether the database runs one statement after the other. The wait for the one before is not
   *   counted then, so that one slow statement does not make those behind it look slow.
   * @param clock - The present time in milliseconds, which tests set.
   */
  constructor(isSerial: boolean, clock: () => number = Date.now) {
    this.#isSerial = isSerial
    this.#clock = clock
  }

  /**
   * Notes the end of a statement; it is listed when it was slow.
   *
   * @param sql - Its text as it was sent.
   * @param startTime - When it was sent, and `endTime` when it was answered, by `performance.now()`.
   * @param endTime - When it was answered.
   * @param error - Its failure.
   */
  note(sql: string, startTime: number, endTime: number, error?: unknown): void {
    const ownTime = endTime - (this.#isSerial ? Math.max(startTime, this.#lastEnd) : startTime)
    this.#lastEnd = endTime
    if (ownTime < slowMs) return
    this.#add(shapeOf(sql), ownTime, isCancelled(error))
  }

  /** Returns the slow statements of the last 24 hours, the slowest first. */
  list(): SlowStatement[] {
    this.#forget()
    return [...this.#shapes]
      .map(([text, hours]) => sumOf(text, hours))
      .toSorted((first, second) => second.slowest_ms - first.slowest_ms)
  }

  #add(text: string, time: number, wasCancelled: boolean): void {
    this.#forget()
    const now = this.#clock()
    const hours = this.#shapes.get(text) ?? []
    if (hours.length === 0 && !this.#makeRoom(time)) return
    this.#shapes.set(text, hours)
    const hour = Math.floor(now / hourMs)
    const last = hours.at(-1)
    const counted = last?.hour === hour ? last : { hour, count: 0, cancelled: 0, slowest: 0, total: 0, lastAt: now }
    if (counted !== last) hours.push(counted)
    counted.count += 1
    if (wasCancelled) counted.cancelled += 1
    counted.slowest = Math.max(counted.slowest, time)
    counted.total += time
    counted.lastAt = now
  }

  /** Removes the fastest shape of a full list; returns false when the new one is not slower. */
  #makeRoom(time: number): boolean {
    if (this.#shapes.size < mostShapes) return true
    const fastest = [...this.#shapes].toSorted(([, first], [, second]) => slowestOf(first) - slowestOf(second))[0]
    if (!fastest || slowestOf(fastest[1]) >= time) return false
    return this.#shapes.delete(fastest[0])
  }

  #forget(): void {
    const oldest = Math.floor(this.#clock() / hourMs) - keptHours
    for (const [text, hours] of this.#shapes) {
      while (hours[0] && hours[0].hour <= oldest) hours.shift()
      if (hours.length === 0) this.#shapes.delete(text)
    }
  }
}
