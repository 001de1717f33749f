/** The open work of a person, and who can take it over when they are blocked. */
import { type OpenWork, resources } from '@dala/model'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { isOnline } from '../../account/sessions/presence.ts'
import { formatList } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import type { ComboOption } from '../../ui/inputs/combobox.tsx'
import { loadQuery } from './load.ts'

export const openWorkQuery = (id: number) =>
  queryOptions({
    queryKey: ['resource', 'users', 'open-work', id],
    queryFn: ({ signal }) => callRoute('GET /api/users/:id/open-work', { params: { id }, signal }),
    staleTime: 0,
    meta: { inPlace: true },
  })

/** Value of the option for the queue, from which consultants take work. */
export const queueValue = 'queue'

/**
 * Options for the takeover of open work: the queue, and consultants with their own open work; `text` filters
 * them.
 */
export function useTakers(formerOwnerId: number, isWanted: boolean) {
  const t = useT()
  const now = useNow()
  const titleOf = useTitleOf(resources.users)
  const [text, setText] = useState('')
  const searchText = useDeferredValue(text.trim())
  const list = useQuery({
    ...resourceQueries(resources.users).list({
      filters: { is_consultant: true, active: true, blocked: false, id: { $ne: formerOwnerId } },
      fields: ['username', 'name', 'surname', 'last_seen_at'],
      sort: 'name:asc',
      pagination: { pageSize: 20, withCount: false },
      ...(searchText && { _q: searchText }),
    }),
    enabled: isWanted,
    // The consultants get no live updates while the menu is open: an option could move under the pointer.
    meta: { inPlace: true, hearsItself: true },
  })
  const people = isWanted ? (list.data?.entries ?? []) : []
  const loadQueries = useQueries({ queries: people.map(({ id }) => loadQuery(id)) })
  const options = people.map((person, index): ComboOption => {
    const load = loadQueries[index]?.data
    const presence = isOnline(person.last_seen_at, now) ? t('people.online') : t('account.offline')
    return {
      value: person.id,
      label: titleOf(person),
      note: [presence, load && t('account.block.has', { count: load.open })].filter(Boolean).join(' · '),
    }
  })
  const queueOption: ComboOption = {
    value: queueValue,
    label: t('account.block.queue'),
    note: t('account.block.queueText'),
  }
  return { options: text === '' ? [queueOption, ...options] : options, loading: list.isFetching, onSearch: setText }
}

/** Text of a person's open work: "2 consultations and 1 chat". */
export function useOpenWorkText(): (openWork: OpenWork) => string {
  const t = useT()
  return ({ consultations, rooms }) =>
    formatList(t, [
      ...(consultations > 0 ? [t('account.block.consultations', { count: consultations })] : []),
      ...(rooms > 0 ? [t('account.block.rooms', { count: rooms })] : []),
    ])
}
