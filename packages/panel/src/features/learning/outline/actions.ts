/** Actions of the rows of an outline. */
import type { Resource } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { Move } from './tree.ts'

/** Row of the outline to move, for the announcement and for the focus afterwards. */
export interface MovedItem {
  lesson?: number
  group?: number
  title: string
}

/** Address of a row of the outline, relative to the page where the row opens beside the outline. */
export interface RowAddress {
  to: string
  search: Readonly<Record<string, string>> | ((formerSearch: object) => object)
}

/**
 * Actions of the outline that stay the same object while it changes, so that unchanged rows do not render.
 */
export interface OutlineActions {
  mayUpdate: boolean
  mayRemove: boolean
  /** Returns the tree of the outline as it is shown now. */
  outline: () => Outline
  addressOf: (item: MovedItem) => RowAddress
  /** Moves a row of the outline; then the control named by `from` gets the focus back. */
  move: (move: Move, item: MovedItem, from: 'menu' | 'row') => void
  /** Describes the position that a row of the outline has after a move. */
  describe: (move: Move, item: MovedItem) => string
  /** Handles a key on a row of the outline: it goes to other rows, or moves, renames or selects the row. */
  handleKey: (event: KeyboardEvent, item: MovedItem) => void
  /** Selects the pressed lesson with Ctrl or Shift; without these keys the row opens. */
  handlePress: (event: MouseEvent, item: MovedItem) => void
  /** Selects a lesson or clears its selection; with `isRange`, all lessons from the last selected one. */
  toggleLesson: (lesson: number, isRange: boolean) => void
  /** Selects the lessons of a group or clears their selection. */
  toggleGroup: (group: OutlineGroup) => void
  startRename: (item: MovedItem) => void
  /** Stores the new title of the renamed row; null stores nothing. */
  endRename: (title: string | null) => void
  openGroupDialog: (lessons: readonly OutlineLesson[]) => void
  setState: (resource: Resource, id: number, state: 'visible' | 'hidden') => void
  duplicate: (lesson: number) => void
  openRemoveDialog: (resource: Resource, item: OutlineLesson | OutlineGroup) => void
}
