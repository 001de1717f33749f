/** The steps of a price day, as buttons; a refusal is shown below them until the next attempt. */
import { resources, transitionsFor } from '@dala/model'
import type { StepBody } from '@dala/model/api/price-dates'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { askerOf, meQuery } from '../../api/session.ts'
import { tFirst, useT } from '../../lib/i18n.ts'
import type { OverviewProps } from '../../resource/screen-parts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { useDayEdits } from './day-edits.ts'
import { PublishDialog } from './publish-dialog.tsx'

/** The route of each step, by the state it leads to (market §5). */
const actions = {
  checking: { route: 'POST /api/pricedates/:id/submit', words: 'prices.submit' },
  published: { route: 'POST /api/pricedates/:id/publish', words: 'action.publish' },
  draft: { route: 'POST /api/pricedates/:id/reopen', words: 'action.reopen' },
} as const
type Target = keyof typeof actions

const isTarget = (state: string): state is Target => Object.hasOwn(actions, state)

export function DaySteps({ screen: { labelPrefix }, record }: OverviewProps) {
  const t = useT()
  const cache = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const edits = useDayEdits(record)
  const [asked, setAsked] = useState<Target>()
  const step = (to: Target, data: Partial<StepBody>) =>
    callRoute(actions[to].route, { params: { id: record.id }, body: { data } })
  const refresh = () => cache.invalidateQueries({ queryKey: ['resource'] })
  const take = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t(actions[asked ?? 'checking'].words) }) },
    mutationFn: async (to: Target) => {
      const version = Number(record['version'])
      if (to !== 'published') return step(to, { version })
      // One press publishes a draft, so submit it first.
      const isDraft = record['state'] === 'draft'
      if (isDraft) await step('checking', { version })
      return step(to, { ...(!isDraft && { version }), allow_missing: true, allow_carried: true })
    },
    onSuccess: (_, to) => {
      // The user may have chosen another step meanwhile.
      setAsked((now) => (now === to ? undefined : now))
      showToast({ kind: 'success', title: t('message.updated', { resource: tFirst([`${labelPrefix}.one`]) }) })
      // The next step needs the current version of the day.
      return refresh()
    },
    onError: () => void refresh(),
  })
  const who = me && { id: me.id, ...askerOf(me) }
  const { transitions } = resources.pricedates.fields.state
  const from = record['state']
  const targets = who ? transitionsFor(transitions, from, who, () => undefined).map(({ to }) => to) : []
  const all = from === 'draft' && targets.length > 0 ? [...targets, 'published'] : targets
  const failure = take.error ? messageOfFailure(take.error) : undefined
  return (
    <>
      {all.map((to) => {
        if (!isTarget(to)) return null
        return (
          <Button
            key={to}
            kind={to === 'published' ? 'primary' : 'plain'}
            // On a phone the head has space for the most common step.
            className={from === 'draft' && to === 'checking' ? 'max-md:hidden' : undefined}
            busy={take.isPending && (to === 'checking' || to === take.variables)}
            onClick={() => {
              if (take.isError) take.reset()
              if (to === 'checking') take.mutate(to)
              else setAsked(to)
            }}
          >
            {t(to === 'published' ? 'prices.publish' : actions[to].words)}
          </Button>
        )
      })}
      {failure && asked === undefined ? (
        <div role="alert" className="order-last basis-full">
          <FieldError>{failure}</FieldError>
        </div>
      ) : null}
      {edits ? (
        <PublishDialog
          record={record}
          edits={edits}
          open={asked === 'published'}
          onOpenChange={(open) => setAsked(open ? 'published' : undefined)}
          busy={take.isPending}
          failure={failure}
          onPublish={() => take.mutate('published')}
        />
      ) : null}
      <ConfirmDialog
        open={asked === 'draft'}
        onOpenChange={(open) => setAsked(open ? 'draft' : undefined)}
        title={t('prices.reopen.title')}
        description={t('prices.reopen.text')}
        confirmLabel={t('action.reopen')}
        busy={take.isPending}
        failure={failure}
        onConfirm={() => take.mutate('draft')}
      />
    </>
  )
}
