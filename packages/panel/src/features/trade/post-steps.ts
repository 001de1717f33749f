/** The decisions on a trading post that the user may take, as the model declares them. */
import { type Entry, resources, type Transition, transitionsFor } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { isEntry } from '../../fields/field-display.tsx'
import { t, firstTranslation } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'

const { tradinposts } = resources

/** Transitions of a post that the user may take from its status. */
export function useSteps(record: Entry): readonly Transition[] {
  const { data: me } = useQuery(meQuery)
  if (!me) return []
  const accountOf = (link: string) => (isEntry(record[link]) ? record[link].id : undefined)
  return transitionsFor(
    tradinposts.fields.status.transitions,
    record['status'],
    { id: me.id, ...callerRoleOf(me) },
    accountOf,
  )
}

/** Label of a step of a post; the start state decides where it changes the meaning. */
export const stepLabel = ({ from, to }: Pick<Transition, 'from' | 'to'>): string =>
  firstTranslation([`tradinposts.steps.${from}.${to}`, `tradinposts.steps.${to}`])

export interface Decision {
  status: string
}

/** Takes a transition of a post; sends the version that the user has seen. */
export function useDecide(record: Entry) {
  const cache = useQueryClient()
  return useMutation({
    meta: { inPlace: true, missed: t('message.notSaved', { resource: t('tradinposts.one') }) },
    mutationFn: (decision: Decision) =>
      resourceQueries(tradinposts).update(record.id, { ...decision, version: record['version'] }),
    onSuccess: () => showToast({ kind: 'success', title: t('message.updated', { resource: t('tradinposts.one') }) }),
    // Posts are loaded again even after a refused transition, because another moderator may have decided.
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
}
