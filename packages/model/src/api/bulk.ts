/** Limits of bulk edits, and their modes, states and outcomes. */

/** Maximum number of records in one bulk edit. */
export const maxBulkRecords = 1_000

/** Maximum number of fields whose texts one bulk edit converts to another script. */
export const maxBulkTexts = 20

/**
 * Maximum number of records that one transaction converts to another script, which takes up to half a second of
 * the processor for a long text: more are converted in the background, and not all or nothing.
 */
export const maxInlineConversions = 20

/**
 * Modes of a bulk edit. `each`: rejected rows are listed and the others are changed; `all`: one rejection
 * cancels the whole edit.
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
