/** Keeps what is being typed in this browser until it is saved: reloads, crashes and ended sessions lose nothing. */
import { readStorage, writeStorage } from '../lib/storage-keys.ts'
import { type Attempts, isAttempts } from './form-attempts.ts'
import type { FormValues } from './form-values.ts'

export interface KeptDraft {
  values: FormValues
  /** When it was last typed in, ISO. */
  at: string
  /** Creates that were sent without an answer. */
  attempts: Attempts
}

const keyOf = (resource: string, index: string) => `draft/${resource}/${index}`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isFormValues(value: unknown): value is FormValues {
  return (
    isObject(value) &&
    isObject(value['shared']) &&
    isObject(value['texts']) &&
    Object.values(value['texts']).every(isObject)
  )
}

/** The draft of a record (`index` is its id or `new`); undefined when there is none, or none that can be read. */
export function readDraft(resource: string, index: string): KeptDraft | undefined {
  try {
    const value: unknown = JSON.parse(readStorage(keyOf(resource, index)) ?? 'null')
    if (!isObject(value) || typeof value['at'] !== 'string' || !isFormValues(value['values'])) return undefined
    const { values, at, attempts } = { attempts: {}, ...value, values: value['values'], at: value['at'] }
    return { values, at, attempts: isAttempts(attempts) ? attempts : {} }
  } catch {
    return undefined
  }
}

/** Keeps a draft, or forgets it. */
export function keepDraft(resource: string, index: string, values: FormValues | null, attempts: Attempts = {}): void {
  const draft = values && JSON.stringify({ values, at: new Date().toISOString(), attempts } satisfies KeptDraft)
  writeStorage(keyOf(resource, index), draft)
}
