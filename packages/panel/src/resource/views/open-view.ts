/** Finds the saved view that the address of a list opens. */
import { callerRoleOf, type CurrentUser } from '../../api/session.ts'
import { type SavedView, searchParamsOf } from './view.ts'

export type Address = Readonly<Record<string, unknown>>

export interface OpenView {
  open: SavedView | undefined
  /** Saved view that opens where the address names none and has no conditions. */
  standardView: SavedView | undefined
  /** Whether the address names a view that does not exist (any more). */
  isLost: boolean
}

/** Id of the saved view that an address names; undefined where it names none. */
function viewIdIn({ view }: Address): number | undefined {
  const id = Number(view)
  return view !== undefined && Number.isInteger(id) ? id : undefined
}

/** Whether an address names no view and has neither conditions nor an order. */
const isBareSearch = (address: Address) =>
  address['view'] === undefined && Object.keys(searchParamsOf(address)).length === 0

/** Whether the rows of an address depend on the saved views; `hasStandard`: one view opens by default. */
export const needsViews = (address: Address, hasStandard: boolean): boolean =>
  viewIdIn(address) !== undefined || (isBareSearch(address) && hasStandard)

/**
 * Finds the saved view that the address of a list opens: `view=<id>` opens one, `view=none` none. A bare
 * address opens the view that the user has chosen for it, else the one chosen for their role. A view that is
 * shared with a weaker role opens for that role alone.
 *
 * @param address - The search parameters of the address.
 * @param views - The saved views of the list; undefined while they are not loaded.
 * @param me - The user; undefined while they are not loaded.
 * @returns The open view and the standard one.
 */
export function openViewIn(
  address: Address,
  views: readonly SavedView[] | undefined,
  me: CurrentUser | undefined,
): OpenView {
  const standardView =
    views?.find((view) => view.isStandard && view.owner === me?.id) ??
    views?.find((view) => view.roleStandard && me !== undefined && view.role?.type === callerRoleOf(me).role)
  const id = viewIdIn(address)
  const openView =
    id !== undefined ? views?.find((view) => view.id === id) : isBareSearch(address) ? standardView : undefined
  return { open: openView, standardView, isLost: id !== undefined && views !== undefined && openView === undefined }
}
