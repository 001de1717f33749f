/**
 * Repeats a create whose answer may have been lost, byte for byte: the server then returns its first answer
 * (contract §4).
 */
import type { Entry } from '@dala/model'
import { ApiError } from '../../../api/api-error.ts'
import type { Draft } from '../../../api/resource-queries.ts'

/** Attempt to create a record that was sent and, as far as known, not refused. */
interface CreateAttempt {
  key: string
  draft: Draft
  at: number
}

/** Attempts to create, by the object they create: `record`, or the language of a translation. */
export type CreateAttempts = Record<string, CreateAttempt>

/**
 * Milliseconds for which an attempt is repeated: shorter than the 24 hours after which the server forgets its
 * key (contract §4).
 */
const lifetime = 23 * 60 * 60_000

/**
 * Idempotency key of an attempt, made from random bytes because `randomUUID` does not exist on pages without
 * https.
 */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function isAttempts(value: unknown): value is CreateAttempts {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (storedAttempt: unknown) =>
        typeof storedAttempt === 'object' &&
        storedAttempt !== null &&
        'key' in storedAttempt &&
        'draft' in storedAttempt &&
        'at' in storedAttempt,
    )
  )
}

/** After a refusal no record was created, so the next attempt needs a new key. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500

/** Fields of a new record that changed since its draft was sent. */
function changedSince(sentDraft: Draft, now: Draft): Draft | undefined {
  const changes = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(sentDraft[name]),
  )
  return changes.length > 0 ? Object.fromEntries(changes) : undefined
}

/**
 * Creates a record once, however often its save is tried. Edits made after a lost answer follow as a change.
 *
 * @param attempts - The pending attempts, modified in place.
 * @param actionName - The key of the attempt.
 * @param draft - The values now.
 * @param calls - `make` creates, `change` updates, and `keep` stores the attempts before they are sent.
 * @returns The created record.
 * @throws ApiError when a call fails.
 */
export async function createOnce(
  attempts: CreateAttempts,
  actionName: string,
  draft: Draft,
  {
    makeEntry: make,
    change,
    keepKey: keep,
  }: {
    makeEntry: (draft: Draft, key: string) => Promise<Entry>
    change: (id: number, changes: Draft) => Promise<unknown>
    keepKey: () => void
  },
): Promise<Entry> {
  const knownAttempt = attempts[actionName]
  const attempt =
    knownAttempt && Date.now() - knownAttempt.at < lifetime ? knownAttempt : { key: newKey(), draft, at: Date.now() }
  attempts[actionName] = attempt
  keep()
  let createdEntry: Entry
  try {
    createdEntry = await make(attempt.draft, attempt.key)
  } catch (error) {
    if (isRefusal(error)) {
      delete attempts[actionName]
      keep()
    }
    throw error
  }
  const changes = changedSince(attempt.draft, draft)
  if (changes) await change(createdEntry.id, changes)
  return createdEntry
}
