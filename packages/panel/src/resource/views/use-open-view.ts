/** Reads the saved views that an address needs, and the layouts that the browser stores for the list. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { useStoredLayouts } from './layout.ts'
import { type Address, needsViews, openViewIn } from './open-view.ts'
import { savedViewOf, viewsQuery } from './view.ts'

/**
 * Follows the saved view of a list.
 *
 * @param path - The path of the list's screen.
 * @param address - The search parameters of the address.
 * @param me - The user; undefined while they are not loaded.
 * @returns The open view, whether the rows wait for it, the stored layouts, and a function that changes them.
 */
export function useOpenView(path: string, address: Address, me: CurrentUser | undefined) {
  const [storedLayouts, store] = useStoredLayouts(path)
  const isNeeded = needsViews(address, storedLayouts.standard)
  // The list requests the saved views itself only if it opens one; otherwise the menu of views requests them
  // later.
  const { data, isPending, isError } = useQuery({ ...viewsQuery, enabled: isNeeded && me !== undefined })
  const views = useMemo(() => data?.entries.map(savedViewOf).filter(({ screen }) => screen === path), [data, path])
  const view = openViewIn(address, views, me)

  const rememberView = useEffectEvent((hasDefaultView: boolean) => store({ standard: hasDefaultView }))
  const hasStandard = views && view.standardView !== undefined
  useEffect(() => {
    if (hasStandard !== undefined && hasStandard !== storedLayouts.standard) rememberView(hasStandard)
  }, [hasStandard, storedLayouts.standard])

  return {
    view: { ...view, isLost: view.isLost && !isError },
    isWaiting: isNeeded && isPending,
    layouts: storedLayouts.layouts,
    storeLayouts: (layouts: typeof storedLayouts.layouts) => store({ layouts }),
  }
}
