/** Bulk edits: the number of records in one, its modes, states and outcomes. */

/** Records in one call. */
export const maxBulkRecords = 1_000

/**
 * `each`: rejected rows are listed and the others are changed; `all`: one rejection cancels the whole edit.
 */
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
