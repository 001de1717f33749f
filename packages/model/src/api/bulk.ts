/** Bulk edits: how many records one takes, and the words for how it is done and how it ended. */

/** Records that one call may name. */
export const maxBulkRecords = 1_000

/** `each`: refused rows are listed and the others done; `all`: with one refusal nothing is done. */
export const bulkModes = ['each', 'all'] as const

export const bulkStates = [
  'waiting',
  'running',
  'finished',
  'refused',
  'stopped',
  'failed',
  'undoing',
  'undone',
] as const

export const bulkOutcomes = ['changed', 'unchanged', 'refused'] as const
