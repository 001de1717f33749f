/** The saved view that an address opens, and what the browser keeps of the list's layouts. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { askerOf, type CurrentUser } from '../../api/session.ts'
import { useKeptLayouts } from './layout.ts'
import { savedViewOf, type SavedView, viewsQuery, wordsOf } from './view.ts'

interface OpenView {
  view: SavedView | undefined
  /** The one that opens where the address says nothing. */
  standard: SavedView | undefined
  /** A view is asked for and not known yet: the rows wait for it. */
  waiting: boolean
  /** The view of the address is not there. */
  lost: boolean
}

/**
 * `view=<id>` opens one, `view=none` none; an address that says nothing opens the one that the reader has chosen for it,
 * else the one that was chosen for their role. A view that is shared with a weaker role stays in the menu of those above.
 */
export function useOpenView(
  path: string,
  address: Readonly<Record<string, unknown>>,
  me: CurrentUser | undefined,
): OpenView & { kept: ReturnType<typeof useKeptLayouts>[0]; keep: ReturnType<typeof useKeptLayouts>[1] } {
  const [kept, keep] = useKeptLayouts(path)
  const { view: asked } = address
  const id = Number(asked)
  const named = asked !== undefined && Number.isInteger(id)
  const isBare = asked === undefined && Object.keys(wordsOf(address)).length === 0
  const needed = named || (isBare && kept.standard)
  // Otherwise the menu of views brings them, once the rows are there.
  const { data, isPending, isError } = useQuery({ ...viewsQuery, enabled: needed && me !== undefined })
  const views = data?.entries.map(savedViewOf).filter(({ screen }) => screen === path)
  const standard =
    views?.find((view) => view.standard && view.owner === me?.id) ??
    views?.find((view) => view.roleStandard && me !== undefined && view.role?.type === askerOf(me).role)

  const remember = useEffectEvent((isThere: boolean) => keep({ standard: isThere }))
  const isThere = views && standard !== undefined
  useEffect(() => {
    if (isThere !== undefined && isThere !== kept.standard) remember(isThere)
  }, [isThere, kept.standard])

  const view = named ? views?.find((one) => one.id === id) : isBare ? standard : undefined
  return {
    view,
    standard,
    waiting: needed && isPending,
    lost: named && views !== undefined && !view && !isError,
    kept,
    keep,
  }
}
