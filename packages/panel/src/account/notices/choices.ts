/** How each kind of notices reaches the user: loaded, and changed one value at a time. */
import type { NoticeChoices } from '@dala/model'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { useT } from '../../lib/i18n.ts'

export type KindChoice = NoticeChoices['kinds'][number]
type Change = Pick<KindChoice, 'kind'> & Partial<KindChoice>

export const choicesQuery = queryOptions({
  queryKey: ['notice-choices'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/notices/choices', { signal })).data,
  meta: { inPlace: true },
})

/** Returns a function that changes a choice: shown at once, and taken back when the server refuses it. */
export function useChoose(): (change: Change) => void {
  const t = useT()
  const cache = useQueryClient()
  const { queryKey } = choicesQuery
  const { mutate } = useMutation({
    meta: { missed: t('nav.noticeSettings') },
    // Changes are sent in their order, so that the last one stays.
    scope: { id: 'notice-choices' },
    mutationFn: async ({ kind, ...choice }: Change) =>
      (await callRoute('PUT /api/notices/choices', { body: { data: { kinds: { [kind]: choice } } } })).data,
    onMutate: async (change) => {
      await cache.cancelQueries({ queryKey })
      cache.setQueryData(
        queryKey,
        (cachedChoices) =>
          cachedChoices && {
            kinds: cachedChoices.kinds.map((cachedChoice) =>
              cachedChoice.kind === change.kind ? { ...cachedChoice, ...change } : cachedChoice,
            ),
          },
      )
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
  return mutate
}
