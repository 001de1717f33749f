/** The address of a list after another saved view is opened; the menu of views loads this module. */
import type { StoredArrangement, ListAddress, ListSession } from '../list/list-session.ts'
import type { SavedView } from './view.ts'

/** Address of the list with another saved view, or as it is declared. */
export const searchOfView = ({ source }: ListSession, view: SavedView | undefined): ListAddress =>
  view ? { view: view.id } : source.standard ? { view: 'none' } : {}

/** Data to store for a saved view without the changes of its layout. */
export const dropChanges = ({ source }: ListSession, { id }: SavedView): StoredArrangement => ({
  layouts: { ...source.layouts, [id]: undefined },
})
