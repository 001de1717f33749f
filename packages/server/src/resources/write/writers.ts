/** The writes behind the generic routes; a feature may replace them for a resource of its own. */
import { removeEntry } from './remove.ts'
import { createEntry, updateEntry } from './write.ts'

export interface EntryWriters {
  create: typeof createEntry
  update: typeof updateEntry
  remove: typeof removeEntry
}

export const entryWriters: EntryWriters = { create: createEntry, update: updateEntry, remove: removeEntry }
