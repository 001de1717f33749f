/** The colleagues who can take a room: presence, number of open rooms, languages and knowledge of each. */
import { type Locale, localeNames } from '@dala/model'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { formatList } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import type { ComboOption } from '../../../ui/inputs/combobox.tsx'

const agentsQuery = (typedText: string, locale: Locale) =>
  queryOptions({
    queryKey: ['resource', 'users', 'takers', typedText, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/chatrooms/takers', { query: { ...(typedText && { q: typedText }), locale }, signal }))
        .data,
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    meta: { inPlace: true },
  })

/**
 * Colleagues who can take a room.
 *
 * @param excludedIds - Users who are not offered: the current owner and the customer.
 */
export function useAssignableAgents(excludedIds: readonly (number | undefined)[], isWanted: boolean) {
  const t = useT()
  const locale = useLocale()
  const [text, setText] = useState('')
  const searchText = useDeferredValue(text.trim())
  const { data = [], isFetching, error } = useQuery({ ...agentsQuery(searchText, locale), enabled: isWanted })
  const options = data
    .filter(({ consultant }) => !excludedIds.includes(consultant.id))
    .map(({ consultant, online, open, language, categories }): ComboOption => {
      const details = [
        t(online ? 'people.online' : 'account.offline'),
        t('chat.openRooms', { count: open }),
        language ? localeNames[language] : '',
        formatList(t, categories),
      ]
      return { value: consultant.id, label: nameOfCard(consultant), note: details.filter(Boolean).join(' · ') }
    })
  return { error, list: { options, loading: isFetching, onSearch: setText } }
}
