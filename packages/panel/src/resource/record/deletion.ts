/**
 * Slot of the dialog that asks before a deletion: what a feature shows there, and how it deletes the record.
 */
import type { Entry } from '@dala/model'
import { type ComponentType, createContext } from 'react'

/**
 * Deletes a record in another way than the generic request; a restore must return everything that it deletes.
 */
export type RemoveRecord = (id: number) => Promise<unknown>

export interface DeletionProps {
  record: Entry
  /** Sets the function that deletes the record; undefined for the generic request. */
  onChoose: (remove: RemoveRecord | undefined) => void
}

export interface DeletionSlot {
  /** Content of the confirmation dialog: effects of the deletion, and choices. */
  Effects: ComponentType<DeletionProps>
  /** Wire names of resources whose links the slot describes, so that the dialog does not list them again. */
  coveredResources: readonly string[]
}

/** Slots of deletion dialogs by the name of the resource, which the app provides. */
export const DeletionContext = createContext<Readonly<Record<string, DeletionSlot>>>({})
