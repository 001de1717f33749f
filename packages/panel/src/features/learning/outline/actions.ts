/** Actions of the rows of an outline. */
import type { Resource } from '@dala/model'
import type { OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import type { KeyboardEvent } from 'react'
import type { Move } from './tree.ts'

/** Moved row of the outline, for the announcement and for the focus afterwards. */
export interface MovedItem {
  lesson?: number
  group?: number
  title: string
}

export interface OutlineActions {
  mayUpdate: boolean
  mayRemove: boolean
  /** Moves a row; the control named by `from` gets the focus back. */
  move: (move: Move, item: MovedItem, from: 'menu' | 'row') => void
  /** Describes the position of a row after a move. */
  describe: (move: Move, item: MovedItem) => string
  /** Moves the row on Alt with an arrow key, and renames the row on F2. */
  handleKey: (event: KeyboardEvent, item: MovedItem) => void
  /** The row whose title is being written. */
  renamed: MovedItem | null
  startRename: (item: MovedItem) => void
  /** Stores a new title; nothing with null. */
  endRename: (title: string | null) => void
  openGroupDialog: (lesson: OutlineLesson) => void
  setState: (resource: Resource, id: number, state: 'visible' | 'hidden') => void
  duplicate: (lesson: number) => void
  openRemoveDialog: (resource: Resource, item: OutlineLesson | OutlineGroup) => void
}
