/** The pinned views of a page in the menu, each with its present number of records. */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { callerRoleOf, type CurrentUser, meQuery } from '../../../api/session.ts'
import { useLocale } from '../../../lib/i18n.ts'
import { queryOfSearch } from '../../../resource/list/filters/conditions.ts'
import { readListSearch } from '../../../resource/list/search.ts'
import { savedViewOf, type SavedView, viewsQuery } from '../../../resource/views/view.ts'
import { limitRows } from '../../../resource/screen-for-user.ts'
import { totalText } from '../../../resource/total-text.ts'
import { menuNoteClass } from '../../../ui/menu-note.ts'

interface PinnedViewsProps {
  screen: Screen
  onGo?: () => void
}

export function PinnedViews({ screen, onGo }: PinnedViewsProps) {
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...viewsQuery, enabled: me !== undefined })
  const { view: openViewId }: { view?: unknown } = useSearch({ strict: false })
  const views = (data?.entries ?? []).map(savedViewOf).filter((view) => view.isPinned && view.screen === screen.path)
  if (!me) return null
  return views.map((view) => (
    <Link
      key={view.id}
      to={`/app/${screen.path}`}
      search={{ view: String(view.id) }}
      aria-current={String(openViewId) === String(view.id) ? 'page' : undefined}
      {...(onGo ? { onClick: onGo } : {})}
      className={menuNoteClass}
    >
      <span className="min-w-0 flex-1 wrap-anywhere">{view.name}</span>
      <ViewCount screen={screen} view={view} me={me} />
    </Link>
  ))
}

function ViewCount({ screen, view, me }: { screen: Screen; view: SavedView; me: CurrentUser }) {
  const reader = useLocale()
  const { resource } = screen
  const search = readListSearch(resource, view.search, callerRoleOf(me))
  const query = queryOfSearch(resource, search, limitRows(screen, me))
  const { data } = useQuery(resourceQueries(resource).count(query, search.lang ?? reader))
  return (
    <small className="min-w-8 text-end text-xs font-light tabular-nums">
      {data === undefined ? null : totalText(reader, data)}
    </small>
  )
}
