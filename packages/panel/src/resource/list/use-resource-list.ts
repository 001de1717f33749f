/** Binds the session of a list to the address bar, the query cache, the stored layouts and the settings. */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { meQuery } from '../../api/session.ts'
import { useLocale } from '../../lib/i18n.ts'
import { setPreferences, usePreferences } from '../../lib/preferences.ts'
import { useOpenView } from '../views/use-open-view.ts'
import {
  type StoredArrangement,
  columnsOfList,
  layoutOfList,
  type ListAddress,
  type ListScope,
  type ListSession,
  openList,
  pageQuery,
  scopeOf,
} from './list-session.ts'

/** Open list, and functions that change it: `list.go(setFilter(list, 'region', '5'))`. */
export interface ResourceList extends ListSession {
  /** Whether the rows of the list can be read, which may depend on the user and on a saved view. */
  isReady: boolean
  /** Opens an address of this list; by default it replaces the former one in the history. */
  go: (search: ListAddress, replace?: boolean) => void
  /** Stores a changed layout of the list. */
  store: (arrangement: StoredArrangement) => void
}

/**
 * Opens the list of a screen.
 *
 * @param declaredScreen - The screen.
 * @param slots - Conditions and columns of the screen's own; the same object at every render.
 * @returns The list, and functions that change it.
 */
export function useResourceList(declaredScreen: Screen, slots: ListScope['slots']): ResourceList {
  const locale = useLocale()
  const { displayMode } = usePreferences()
  const { data: me, isFetched } = useQuery(meQuery)
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { view, isWaiting, layouts, storeLayouts } = useOpenView(declaredScreen.path, address, me)
  const scope = useMemo(() => scopeOf(declaredScreen, slots, me), [declaredScreen, slots, me])
  // A new array of columns at each render would render every row.
  const { columns: selectedColumns } = layoutOfList(layouts, view.open)
  const columns = useMemo(() => columnsOfList(scope, selectedColumns), [scope, selectedColumns])
  return {
    ...openList(scope, { address, view, layouts, displayMode, locale }, columns),
    isReady: (isFetched || scope.screen.resource.card === undefined) && !isWaiting,
    go: (search, replace = true) => void navigate({ to: '.', search, replace }),
    store: (arrangement) => {
      if (arrangement.preferences) setPreferences(arrangement.preferences)
      storeLayouts(arrangement.layouts)
    },
  }
}

/** Query result with the shown page of a list. */
export function useListPage(list: ResourceList) {
  return useQuery({ ...pageQuery(list), enabled: list.isReady })
}
