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
  /** Moves the row on Alt with an arrow key. */
  handleKey: (event: KeyboardEvent, item: MovedItem) => void
  openGroupDialog: (lesson: OutlineLesson) => void
  setState: (resource: Resource, id: number, state: 'visible' | 'hidden') => void
  duplicate: (lesson: number) => void
  openRemoveDialog: (resource: Resource, item: OutlineLesson | OutlineGroup) => void
}
