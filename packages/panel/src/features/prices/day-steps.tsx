/** The steps of a day of prices, as buttons; a refusal stands below them until the next try. */
import { resources, stepsFor } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { askerOf, meQuery } from '../../api/session.ts'
import { tFirst, useT } from '../../lib/i18n.ts'
import type { OverviewProps } from '../../resource/screen-parts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.ts'
import { missingOf } from './day-marks.ts'

/** The call and the words of each step, by the state it leads to (product/market.md §5). */
const actions = {
  checking: { path: 'submit', words: 'prices.submit' },
  published: { path: 'publish', words: 'action.publish' },
  draft: { path: 'reopen', words: 'action.reopen' },
} as const
type Target = keyof typeof actions

const isTarget = (state: string): state is Target => Object.hasOwn(actions, state)

export function DaySteps({ screen: { resource, words }, record }: OverviewProps) {
  const t = useT()
  const cache = useQueryClient()
  const { data: me } = useQuery(meQuery)
  // The step that is asked about before it is taken; its words stay while the question closes.
  const [asked, setAsked] = useState<Target>('draft')
  const [isAsking, setAsking] = useState(false)
  const take = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t(actions[asked].words) }) },
    mutationFn: (to: Target) =>
      call('POST', `/${resource.wire}/${record.id}/${actions[to].path}`, {
        body: { data: { version: record['version'] } },
      }),
    onSuccess: () => {
      setAsking(false)
      showToast({ kind: 'success', title: t('message.updated', { resource: tFirst([`${words}.one`]) }) })
    },
    onSettled: () => void cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  const who = me && { id: me.id, ...askerOf(me) }
  const steps = who ? stepsFor(resources.pricedates.fields.state.steps, record['state'], who, () => undefined) : []
  const missing = missingOf(record)
  const failure = take.error ? wordsOfFailure(take.error) : undefined
  return (
    <>
      {steps.map(({ to }) => {
        if (!isTarget(to)) return null
        return (
          <Button
            key={to}
            kind={to === 'draft' ? 'plain' : 'primary'}
            busy={take.isPending}
            onClick={() => {
              take.reset()
              setAsked(to)
              const isAsked = to === 'draft' || (to === 'published' && missing > 0)
              if (isAsked) setAsking(true)
              else take.mutate(to)
            }}
          >
            {t(actions[to].words)}
          </Button>
        )
      })}
      {failure && !isAsking ? (
        <div role="alert" className="order-last basis-full">
          <FieldError>{failure}</FieldError>
        </div>
      ) : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t(asked === 'published' ? 'prices.gaps.title' : 'prices.reopen.title')}
        description={asked === 'published' ? t('prices.gaps.text', { count: missing }) : t('prices.reopen.text')}
        confirmLabel={t(actions[asked].words)}
        busy={take.isPending}
        failure={failure}
        onConfirm={() => take.mutate(asked)}
      />
    </>
  )
}
