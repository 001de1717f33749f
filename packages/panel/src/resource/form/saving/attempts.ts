/** A create whose answer may have been lost is sent again word for word: the server then answers as the first time (contract §4). */
import type { Entry } from '@dala/model'
import { ApiError } from '../../../api/api-error.ts'
import type { Draft } from '../../../api/resource-queries.ts'

/** A create that was sent and is not known to have been refused. */
interface Attempt {
  key: string
  draft: Draft
  at: number
}

/** By what they make: `record`, or the language of a translation. */
export type Attempts = Record<string, Attempt>

/** The server forgets a key after 24 hours (contract §4). */
const lifetime = 23 * 60 * 60_000

/** A key nobody else has; made by hand, because browsers keep `randomUUID` from pages without https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function isAttempts(value: unknown): value is Attempts {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (one: unknown) => typeof one === 'object' && one !== null && 'key' in one && 'draft' in one && 'at' in one,
    )
  )
}

/** An answer that says no: nothing was made, and the next try is another one. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500

/** What has been changed in a draft since it was sent. */
function changedSince(sent: Draft, now: Draft): Draft | undefined {
  const changes = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]))
  return changes.length > 0 ? Object.fromEntries(changes) : undefined
}

/**
 * Makes something once, however often it is tried.
 *
 * In: what was tried so far (changed in place), what is being made, its draft, the call that makes it, the call that
 * changes it, and where attempts are kept before they are sent. What was edited after a lost answer follows as a change.
 */
export async function makeOnce(
  attempts: Attempts,
  what: string,
  draft: Draft,
  {
    make,
    change,
    keep,
  }: {
    make: (draft: Draft, key: string) => Promise<Entry>
    change: (id: number, changes: Draft) => Promise<unknown>
    keep: () => void
  },
): Promise<Entry> {
  const known = attempts[what]
  const attempt = known && Date.now() - known.at < lifetime ? known : { key: newKey(), draft, at: Date.now() }
  attempts[what] = attempt
  keep()
  let made: Entry
  try {
    made = await make(attempt.draft, attempt.key)
  } catch (error) {
    if (isRefusal(error)) {
      delete attempts[what]
      keep()
    }
    throw error
  }
  const changes = changedSince(attempt.draft, draft)
  if (changes) await change(made.id, changes)
  return made
}
