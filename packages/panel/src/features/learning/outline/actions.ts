/** Actions of the rows of an outline. */
import type { Resource } from '@dala/model'
import type { OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import type { KeyboardEvent } from 'react'
import type { Move } from './tree.ts'

/** The moved row, for the announcement and for the focus afterwards. */
export interface MovedItem {
  lesson?: number
  group?: number
  title: string
}

export interface OutlineActions {
  mayUpdate: boolean
  mayRemove: boolean
  /** `from`: the control that gets the focus back after the move. */
  move: (move: Move, item: MovedItem, from: 'menu' | 'row') => void
  /** Alt with an arrow moves the row. */
  handleKey: (event: KeyboardEvent, item: MovedItem) => void
  openGroupDialog: (lesson: OutlineLesson) => void
  setState: (resource: Resource, id: number, state: 'visible' | 'hidden') => void
  openRemoveDialog: (resource: Resource, item: OutlineLesson | OutlineGroup) => void
}
