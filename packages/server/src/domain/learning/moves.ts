/** Rows of an outline that moved between two versions: as few as explain the new order (e-learning §6). */
import { longestAscending } from '@dala/model'
import type { ContentRecord } from './course-content.ts'

/** Place of a lesson in its group, or of a group in its course, from 1. */
export interface PartMove {
  before: number
  after: number
}

/** Key of the list that a record belongs to: a group, the lessons without a group, or the groups. */
const listOf = ({ part, shared: sharedValues }: ContentRecord) =>
  part === 'lessons' ? Number(sharedValues.lessongroup ?? 0) : -1

/**
 * Finds the records whose place in their list differs, apart from the gaps that others leave.
 *
 * @param publishedRecords - The published records, in order.
 * @param drafts - The drafts, in order.
 * @returns The places of moved records, by part and document. A record that changed its list has moved too.
 */
export function movesBetween(
  publishedRecords: readonly ContentRecord[],
  drafts: readonly ContentRecord[],
): ReadonlyMap<string, PartMove> {
  const placesOf = (records: readonly ContentRecord[]) => {
    const lists = new Map<number, number>()
    return new Map(
      records
        .filter(({ part }) => part !== 'courses')
        .map((record) => {
          const list = listOf(record)
          const position = (lists.get(list) ?? 0) + 1
          lists.set(list, position)
          return [recordKey(record), { list, place: position }]
        }),
    )
  }
  const [placesBefore, placesAfter] = [placesOf(publishedRecords), placesOf(drafts)]
  const partMoves = new Map<string, PartMove>()
  const entriesByList = Map.groupBy(
    [...placesAfter].filter(([key]) => placesBefore.has(key)),
    ([, { list }]) => list,
  )
  for (const [list, entries] of entriesByList) {
    const remainingEntries = entries.filter(([key]) => placesBefore.get(key)?.list === list)
    const keptPositions = longestAscending(remainingEntries.map(([key]) => placesBefore.get(key)?.place ?? 0))
    for (const [key, { place }] of entries) {
      const formerEntry = placesBefore.get(key)
      if (formerEntry && (formerEntry.list !== list || !keptPositions.has(formerEntry.place)))
        partMoves.set(key, { before: formerEntry.place, after: place })
    }
  }
  return partMoves
}

/** Key of a record within its course: its part and its document. */
export const recordKey = ({ part, document }: Pick<ContentRecord, 'part' | 'document'>): string => `${part} ${document}`
