/** Unsaved cells of a list, stored in this browser for their author. */
import { createDraft, parseList, type StoredDraft } from '../../../lib/drafts/draft-store.ts'
import { isObject } from '../../../lib/is-object.ts'
import type { Values } from '../../form/values.ts'
import { type CellPlace, keyOf } from './grid.ts'

export interface Draft {
  place: CellPlace
  value: unknown
  /** Text typed in the unsaved cell. */
  words: string
  /** Message about the reason why the cell cannot be saved; undefined when it can. */
  fault?: string | undefined
  /** Values of other fields that follow from the value edited in the cell. */
  dependentValues?: Readonly<Record<string, unknown>>
  /**
   * Values that the user has seen in the fields of an unsaved cell, oldest first. Any other stored value is a
   * concurrent edit. Drafts of older versions lack it and are saved without a question.
   */
  seen?: readonly Readonly<Values>[] | undefined
}

/** Drafts of cells, by the key of their cell. */
export type CellDraftMap = ReadonlyMap<string, Draft>

export const draftsOf = (drafts: readonly Draft[]): CellDraftMap =>
  new Map(drafts.map((draft) => [keyOf(draft.place), draft]))

function isDraft(value: unknown): value is Draft {
  if (!isObject(value)) return false
  const { place, words, seen } = value
  if (seen !== undefined && !Array.isArray(seen)) return false
  return (
    isObject(place) && typeof place['id'] === 'number' && typeof place['name'] === 'string' && typeof words === 'string'
  )
}

const draftOfCells = (user: number, resource: string): StoredDraft<Draft[]> =>
  createDraft(`draft/cells/${user}/${resource}`, parseList(isDraft))

/** Unsaved cells of a resource. */
export const readCells = (user: number, resource: string): CellDraftMap =>
  draftsOf(draftOfCells(user, resource).read() ?? [])

/** Stores the unsaved cells of a resource; without cells, nothing stays stored. */
export function storeCells(user: number, resource: string, drafts: CellDraftMap): void {
  const draft = draftOfCells(user, resource)
  if (drafts.size > 0) draft.write([...drafts.values()])
  else draft.clear()
}
