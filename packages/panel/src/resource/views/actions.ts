/** Actions on saved views: save, change, delete with an undo. */
import { rankOfRole } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callServer } from '../../api/client.ts'
import type { Draft, Page } from '../../api/resource-queries.ts'
import { callerRoleOf, type CurrentUser } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { getPreferences } from '../../lib/preferences.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import { offerUndo } from '../../ui/feedback/undo.ts'
import { savedViewOf, type SavedView, viewQueries, viewsQuery } from './view.ts'
import { searchOfView, dropChanges } from './view-transitions.ts'
import type { ResourceList } from '../list/use-resource-list.ts'

/**
 * Returns whether the user may change a view: its owner may, and administrators may change views shared with
 * them.
 */
export function mayChange(view: SavedView, me: CurrentUser): boolean {
  return view.owner === me.id || (view.role !== undefined && rankOfRole(callerRoleOf(me).role) >= rankOfRole('admin'))
}

/** Current state of a list, as a saved view stores it. */
function stateOf({ screen, view, columns, display }: ResourceList) {
  const { selectedColumns: chosenColumns, widths } = columns
  return {
    search: view.searchParams,
    density: display.density ?? getPreferences().density,
    ...(chosenColumns && { columns: chosenColumns }),
    ...(widths && { widths }),
    ...(screen.resource.list?.modes && { mode: display.mode }),
  }
}

/** Opens a saved view of a list, or the list as it is declared. */
export function openView(list: ResourceList, view: SavedView | undefined): void {
  if (view) list.store(dropChanges(list, view))
  list.go(searchOfView(list, view), false)
}

/** Reports a failed action on a saved view as a toast; with `inPlace`, the caller shows the failure. */
export function useViewActions(list: ResourceList, inPlace = false) {
  const t = useT()
  const cache = useQueryClient()
  const refreshViews = () => cache.invalidateQueries({ queryKey: viewQueries.all })
  const toast = (title: string) => showToast({ kind: 'success', title })

  const meta = { inPlace }
  const save = useMutation({
    meta,
    /**
     * Saves a new view with the given values, or updates the open view to the state of the list.
     */
    mutationFn: async (values: Draft | undefined) => {
      const state = stateOf(list)
      const record = values
        ? await viewQueries.create({ ...values, state, screen: list.screen.path })
        : await viewQueries.update(list.view.open?.id ?? 0, { state })
      await refreshViews()
      return savedViewOf({ ...record, state })
    },
    onSuccess: (view) => {
      openView(list, view)
      toast(t('views.saved', { name: view.name }))
    },
  })

  const set = useMutation({
    meta,
    mutationFn: async ({ view, values }: { view: SavedView; values: Draft }) => {
      // Only one saved view of a list opens by default.
      const formerViews = cache.getQueryData<Page>(viewsQuery.queryKey)?.entries.map(savedViewOf) ?? []
      const otherViews =
        values['standard'] === true ? formerViews.filter((listedView) => isStandardBeside(listedView, view)) : []
      for (const otherView of otherViews) await viewQueries.update(otherView.id, { standard: false })
      await viewQueries.update(view.id, values)
    },
    onSuccess: () => toast(t('views.updated')),
    onSettled: refreshViews,
  })

  const remove = useMutation({
    meta,
    mutationFn: (view: SavedView) => viewQueries.remove(view.id, 'one'),
    onSuccess: async (_answer, view) => {
      openView(list, undefined)
      await refreshViews()
      offerUndo({
        title: t('views.deleted', { name: view.name }),
        undo: async () => {
          await callServer('POST', `/list-views/${view.id}/restore`)
          await refreshViews()
        },
      })
    },
  })
  return { save, set, remove }
}

const isStandardBeside = (listedView: SavedView, view: SavedView) =>
  listedView.isStandard &&
  listedView.id !== view.id &&
  listedView.screen === view.screen &&
  listedView.owner === view.owner
