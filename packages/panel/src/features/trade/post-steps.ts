/** The decisions on a trading post that its reader may take, as the model declares them. */
import { type Entry, resources, type Step, stepsFor } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'
import { askerOf, meQuery } from '../../api/session.ts'
import { isEntry } from '../../fields/field-display.tsx'
import { t, tFirst } from '../../lib/i18n.ts'
import { showToast } from '../../ui/toast.ts'

const { tradinposts } = resources

/** The steps from the record's status for who reads. */
export function useSteps(record: Entry): readonly Step[] {
  const { data: me } = useQuery(meQuery)
  if (!me) return []
  const accountOf = (link: string) => (isEntry(record[link]) ? record[link].id : undefined)
  return stepsFor(tradinposts.fields.status.steps, record['status'], { id: me.id, ...askerOf(me) }, accountOf)
}

/** What a step is called: from where it leads decides, where that changes its meaning. */
export const wordsOfStep = ({ from, to }: Pick<Step, 'from' | 'to'>): string =>
  tFirst([`tradinposts.steps.${from}.${to}`, `tradinposts.steps.${to}`])

export interface Decision {
  status: string
  reason?: string
  public_note?: string
}

/** Takes a step; the version that was seen goes along. */
export function useDecide(record: Entry) {
  const cache = useQueryClient()
  return useMutation({
    meta: { inPlace: true, missed: t('message.notSaved', { resource: t('tradinposts.one') }) },
    mutationFn: (decision: Decision) =>
      resourceQueries(tradinposts).update(record.id, { ...decision, version: record['version'] }),
    onSuccess: () => showToast({ kind: 'success', title: t('message.updated', { resource: t('tradinposts.one') }) }),
    // After a refusal too: somebody else may have decided.
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
}

/** The post that waits longest for a decision, this one left out. */
export function useNextWaiting(record: Entry): Entry | undefined {
  const query = {
    locale: 'en',
    fallback: true,
    fields: ['status'],
    filters: { status: { $eq: 'on_hold' } },
    sort: 'createdAt:asc',
    // One more than is needed: this post may be the first of them, in whatever language its id was read.
    pagination: { pageSize: 2, withCount: false },
  }
  const { data } = useQuery(resourceQueries(tradinposts).list(query))
  const ids = new Set([record.id, ...familyOf(record)])
  return data?.entries.find(({ id }) => !ids.has(id))
}

function familyOf({ localizations }: Entry): number[] {
  const others: unknown[] = Array.isArray(localizations) ? localizations : []
  return others.filter(isEntry).map(({ id }) => id)
}
