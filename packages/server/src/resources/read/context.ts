/** The shared context of parsing a query, its refusals, and the shapes of its values. */
import { type Caller, fault, Fault } from '@dala/model'
import type { SlotIndex } from './query.ts'

/** Maximum number of conditions in one query (checklist §3). */
const maxConditions = 30

/** Collects what the parsing of a query finds: values, the resources used, and the number of conditions. */
export class QueryContext {
  readonly caller: Caller
  /** Values of the query, beginning with the caller's id (`callerSlot`). */
  readonly values: unknown[]
  /** Whether a condition of the query uses a column that differs by reader, so that its total differs too. */
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
    if (!this.#trusted && this.#conditions > maxConditions) throw tooLargeFault('conditions')
  }

  /**
   * Reads a rule of the model, to which the limits of client queries do not apply.
   *
   * @param readTrusted - Reads the rule.
   * @returns The result of `read`.
   */
  asTrusted<T>(readTrusted: () => T): T {
    const wasTrusted = this.#trusted
    this.#trusted = true
    try {
      return readTrusted()
    } finally {
      this.#trusted = wasTrusted
    }
  }

  /** Whether the parser reads a rule of the model, not the query of a client. */
  get isTrusted(): boolean {
    return this.#trusted
  }
}

/** Result of a check that ran early: its value, or its refusal, which is thrown when the result is read. */
export type CheckedCall<T> = () => T

/**
 * Checks a part of a list's query ahead of the parts before it. A query with several faults is refused for
 * the first one, so the refusal of this part waits for its turn.
 *
 * @param check - Checks the part.
 * @returns Its result.
 */
export function checkedCall<T>(check: () => T): CheckedCall<T> {
  try {
    const value = check()
    return () => value
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const refusal = error
    return () => {
      throw refusal
    }
  }
}

export const tooLargeFault = (subject: string) => fault('query.too-large', { params: { what: subject } })
export const badParameter = (key: string) => fault('query.parameter', { params: { key } })

/** Tells whether a value is an object with keys, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a list of a query in any spelling: an array, an object with numbered keys, a single value. */
export function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))) return Object.values(value)
  return [value]
}
