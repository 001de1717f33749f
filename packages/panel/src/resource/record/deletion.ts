/** The slot of the question before a deletion: what a feature shows there, and how it deletes. */
import type { Entry } from '@dala/model'
import { type ComponentType, createContext } from 'react'

/** Deletes a record in another way than the generic one; a restore must return everything it takes. */
export type RemoveRecord = (id: number) => Promise<unknown>

export interface DeletionProps {
  record: Entry
  /** Sets the way in which the record is deleted; undefined for the generic one. */
  onChoose: (remove: RemoveRecord | undefined) => void
}

export interface DeletionSlot {
  /** Content below the question: what the deletion concerns, and choices. */
  Effects: ComponentType<DeletionProps>
  /** Wire names of resources whose links the content describes, so they are not listed again. */
  covers: readonly string[]
}

/** The slots by the name of the resource; the app provides them. */
export const DeletionContext = createContext<Readonly<Record<string, DeletionSlot>>>({})
