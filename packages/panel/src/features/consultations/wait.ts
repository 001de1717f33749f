/** The wait of a customer for the reply to a consultation. */
import type { Entry } from '@dala/model'
import type { CaseWait } from '../../lib/wait.ts'

const timeOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Returns the wait of a consultation, as it is stored. */
export const waitOf = ({ waiting_since, warn_at, due_at }: Entry): CaseWait => ({
  waiting_since: timeOf(waiting_since),
  warn_at: timeOf(warn_at),
  due_at: timeOf(due_at),
})
