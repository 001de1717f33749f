/** Keeps what is being typed in this browser until it is saved: reloads, crashes and ended sessions lose nothing. */
import type { FormValues } from './form-values.ts'
import { readStorage, writeStorage } from '../lib/storage-keys.ts'

export interface KeptDraft {
  values: FormValues
  /** When it was last typed in, ISO. */
  at: string
}

const keyOf = (resource: string, index: string) => `draft/${resource}/${index}`

function isKeptDraft(value: unknown): value is KeptDraft {
  if (typeof value !== 'object' || value === null || !('values' in value) || !('at' in value)) return false
  const { values, at } = value
  return (
    typeof at === 'string' && typeof values === 'object' && values !== null && 'shared' in values && 'texts' in values
  )
}

/** The draft of a record (`index` is its id or `new`); undefined when there is none. */
export function readDraft(resource: string, index: string): KeptDraft | undefined {
  try {
    const value: unknown = JSON.parse(readStorage(keyOf(resource, index)) ?? 'null')
    return isKeptDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Keeps a draft, or forgets it. */
export function keepDraft(resource: string, index: string, values: FormValues | null): void {
  const draft = values && JSON.stringify({ values, at: new Date().toISOString() } satisfies KeptDraft)
  writeStorage(keyOf(resource, index), draft)
}
