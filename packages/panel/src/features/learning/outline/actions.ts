/** Actions of the rows of an outline. */
import type { Resource } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { Move } from './tree.ts'

/** Moved row of the outline, for the announcement and for the focus afterwards. */
export interface MovedItem {
  lesson?: number
  group?: number
  title: string
}

/** Address of a row, relative to the page where it opens beside the outline. */
export interface RowAddress {
  to: string
  search: Readonly<Record<string, string>> | ((before: object) => object)
}

/** Actions that stay the same object while the outline changes, so that unchanged rows do not render. */
export interface OutlineActions {
  mayUpdate: boolean
  mayRemove: boolean
  /** The tree as it is shown now. */
  outline: () => Outline
  addressOf: (item: MovedItem) => RowAddress
  /** Moves a row; the control named by `from` gets the focus back. */
  move: (move: Move, item: MovedItem, from: 'menu' | 'row') => void
  /** Describes the position of a row after a move. */
  describe: (move: Move, item: MovedItem) => string
  /** Goes to other rows, moves, renames or selects the row by keys. */
  handleKey: (event: KeyboardEvent, item: MovedItem) => void
  /** Selects the lesson where Ctrl or Shift is pressed; otherwise the row opens. */
  handlePress: (event: MouseEvent, item: MovedItem) => void
  /** Selects or clears a lesson; with `isRange`, all from the last selected one. */
  toggle: (lesson: number, isRange: boolean) => void
  /** Selects or clears the lessons of a group. */
  toggleGroup: (group: OutlineGroup) => void
  startRename: (item: MovedItem) => void
  /** Stores a new title; nothing with null. */
  endRename: (title: string | null) => void
  openGroupDialog: (lessons: readonly OutlineLesson[]) => void
  setState: (resource: Resource, id: number, state: 'visible' | 'hidden') => void
  duplicate: (lesson: number) => void
  openRemoveDialog: (resource: Resource, item: OutlineLesson | OutlineGroup) => void
}
