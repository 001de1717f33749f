/** The wait of a customer for the reply to a consultation. */
import type { Entry } from '@dala/model'
import type { Wait } from '../../lib/wait.ts'
import { statusOf } from './status-chip.tsx'

const timeOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Returns the wait of a consultation; it began with the question, or with the last reopening. */
export function waitOf({ status, createdAt, reopened_at, due_at }: Entry): Wait {
  const isWaiting = !['answered', 'finished'].includes(statusOf(status))
  return {
    waiting_since: isWaiting ? (timeOf(reopened_at) ?? timeOf(createdAt)) : null,
    warn_at: null,
    due_at: timeOf(due_at),
  }
}
