/** Cells that were typed and are not saved yet, kept in this browser for the one who typed them. */
import { keep, readKept } from '../../../lib/kept/kept.ts'
import type { Values } from '../../form/values.ts'
import { type CellPlace, keyOf } from './grid.ts'

export interface Draft {
  place: CellPlace
  value: unknown
  /** The words that stand in the cell. */
  words: string
  /** Why it cannot be saved; nothing for one that can. */
  fault?: string | undefined
  /** Values of other fields that follow from it. */
  follows?: Readonly<Record<string, unknown>>
  /**
   * What has stood in the fields it changes before the writer's eyes, the last one last: anything else there is a
   * colleague's. Drafts of before have none, and are saved without a question.
   */
  seen?: readonly Readonly<Values>[] | undefined
}

/** By the key of their place. */
export type Drafts = ReadonlyMap<string, Draft>

export const draftsOf = (drafts: readonly Draft[]): Drafts =>
  new Map(drafts.map((draft) => [keyOf(draft.place), draft]))

const storageKey = (user: number, resource: string) => `draft/cells/${user}/${resource}`

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('place' in value && 'words' in value)) return false
  const { place, words } = value
  if ('seen' in value && !Array.isArray(value.seen)) return false
  if (typeof place !== 'object' || place === null || typeof words !== 'string') return false
  return 'id' in place && typeof place.id === 'number' && 'name' in place && typeof place.name === 'string'
}

export function readCells(user: number, resource: string): Drafts {
  try {
    const kept: unknown = JSON.parse(readKept(storageKey(user, resource)) ?? '[]')
    return draftsOf(Array.isArray(kept) ? kept.filter(isDraft) : [])
  } catch {
    return new Map()
  }
}

export function keepCells(user: number, resource: string, drafts: Drafts): void {
  keep(storageKey(user, resource), drafts.size > 0 ? JSON.stringify([...drafts.values()]) : null)
}
