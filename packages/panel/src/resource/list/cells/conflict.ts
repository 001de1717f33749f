/**
 * Finds the values that a draft of a cell writes, and whether somebody else has changed them since the cell
 * was read.
 */
import type { Entry } from '@dala/model'
import type { Values } from '../../form/values.ts'
import { isSame } from '../../form/saving/merge.ts'
import type { Draft } from './cell-draft.ts'

/** Values that the draft of a cell writes to its record. */
export const valuesOf = ({ place, value, dependentValues: linkedValues }: Draft): Values => ({
  ...linkedValues,
  [place.name]: value,
})

/** Current values of the record in the fields that the draft of a cell changes. */
export const valuesBefore = (draft: Draft, entry: Entry): Values =>
  Object.fromEntries(Object.keys(valuesOf(draft)).map((name) => [name, entry[name] ?? null]))

/**
 * Finds the changed field of a cell whose current value the author has never seen. Compares values rather
 * than versions: the user's own edits, and a colleague's in other fields, raise the version too.
 */
export function conflictOf(draft: Draft, currentRecord: Entry): string | undefined {
  const isUnseen = ([name, value]: [string, unknown]) => {
    const seenValues = (draft.seen ?? []).filter((values) => name in values)
    return (
      seenValues.length > 0 &&
      name in currentRecord &&
      [value, ...seenValues.map((values) => values[name])].every(
        (knownValue) => !isSame(knownValue, currentRecord[name]),
      )
    )
  }
  return Object.entries(valuesOf(draft)).find(isUnseen)?.[0]
}

/** Whether a record already has the values of a cell's draft; text that could not be read has no value. */
export const isStored = (draft: Draft, currentRecord: Entry): boolean =>
  draft.value !== undefined &&
  Object.entries(valuesOf(draft)).every(([name, value]) => isSame(currentRecord[name], value))
