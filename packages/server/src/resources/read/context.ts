/** The context that parsing of a query shares, the refusals of a query, and the shapes of its values. */
import { type Caller, fault } from '@dala/model'
import type { SlotIndex } from './query.ts'

/** Conditions of one query (checklist §3). */
const maxConditions = 30

/** What parsing collects on its way: values, the resources touched, and how much there is. */
export class QueryContext {
  readonly caller: Caller
  /** The caller's id comes first (`callerSlot`). */
  readonly values: unknown[]
  /** A condition looks at a column that differs by reader, so its total does too. */
  differsByCaller = false
  readonly dependsOn = new Set<string>()
  #conditions = 0
  #trusted = false

  constructor(caller: Caller) {
    this.caller = caller
    this.values = [caller.id]
  }

  slot(value: unknown): SlotIndex {
    return this.values.push(value) - 1
  }

  countCondition() {
    this.#conditions += 1
    if (!this.#trusted && this.#conditions > maxConditions) throw tooLarge('conditions')
  }

  /**
   * Reads a rule of the model, which has no limits of strangers.
   *
   * @param read - Reads the rule.
   * @returns What `read` returns.
   */
  asTrusted<T>(read: () => T): T {
    const before = this.#trusted
    this.#trusted = true
    try {
      return read()
    } finally {
      this.#trusted = before
    }
  }

  /** Whether a rule of the model is read, not a text of a client. */
  get isTrusted(): boolean {
    return this.#trusted
  }
}

export const tooLarge = (what: string) => fault('query.too-large', { params: { what } })
export const badParameter = (key: string) => fault('query.parameter', { params: { key } })

/** Whether a value is an object with keys, no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list in any spelling: an array, an object with numbered keys, a single value. */
export function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))) return Object.values(value)
  return [value]
}
