/** What a draft does to its record, and whether somebody else has changed the same since its cell was read. */
import type { Entry } from '@dala/model'
import type { Values } from '../../form/values.ts'
import { isSame } from '../../form/saving/merge.ts'
import type { Draft } from './cell-draft.ts'

/** What a draft changes in its record. */
export const valuesOf = ({ place, value, follows }: Draft): Values => ({ ...follows, [place.name]: value })

/** What a record has where a draft changes it. */
export const stoodBefore = (draft: Draft, entry: Entry): Values =>
  Object.fromEntries(Object.keys(valuesOf(draft)).map((name) => [name, entry[name] ?? null]))

/**
 * The field that has by now what its writer has never seen there. By the values and not by the version of the record:
 * one's own edits and a colleague's in other fields renew that, too.
 */
export function clashOf(draft: Draft, live: Entry): string | undefined {
  const isUnseen = ([name, value]: [string, unknown]) => {
    const seen = (draft.seen ?? []).filter((values) => name in values)
    return (
      seen.length > 0 &&
      name in live &&
      [value, ...seen.map((values) => values[name])].every((one) => !isSame(one, live[name]))
    )
  }
  return Object.entries(valuesOf(draft)).find(isUnseen)?.[0]
}

/** Whether a record has what a draft would write; words that could not be read have no value. */
export const isStored = (draft: Draft, live: Entry): boolean =>
  draft.value !== undefined && Object.entries(valuesOf(draft)).every(([name, value]) => isSame(live[name], value))
