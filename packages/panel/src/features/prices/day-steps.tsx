/** The steps of a price day, as buttons; a refusal is shown below them until the next attempt. */
import { resources, transitionsFor } from '@dala/model'
import type { StepBody } from '@dala/model/api/price-dates'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import type { OverviewProps } from '../../resource/screen-parts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { useDayEdits } from './day-edits.ts'
import { PublishDialog } from './publish-dialog.tsx'

/** Routes for transitions of a price day, by the state they lead to (market §5). */
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
  const [confirmedTarget, setConfirmedTarget] = useState<Target>()
  const step = (targetState: Target, data: Partial<StepBody>) =>
    callRoute(actions[targetState].route, { params: { id: record.id }, body: { data } })
  const refreshDays = () => cache.invalidateQueries({ queryKey: ['resource'] })
  const changeState = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t(actions[confirmedTarget ?? 'checking'].words) }) },
    mutationFn: async (targetState: Target) => {
      const version = Number(record['version'])
      if (targetState !== 'published') return step(targetState, { version })
      // One press publishes a draft of a price day, so the day is submitted first.
      const isDraft = record['state'] === 'draft'
      if (isDraft) await step('checking', { version })
      return step(targetState, { ...(!isDraft && { version }), allow_missing: true, allow_carried: true })
    },
    onSuccess: (_, targetState) => {
      // The user may have chosen another transition of the day during the call.
      setConfirmedTarget((now) => (now === targetState ? undefined : now))
      showToast({
        kind: 'success',
        title: t('message.updated', { resource: firstTranslation([`${labelPrefix}.one`]) }),
      })
      // The next transition needs the current version of the price day.
      return refreshDays()
    },
    onError: () => void refreshDays(),
  })
  const caller = me && { id: me.id, ...callerRoleOf(me) }
  const { transitions } = resources.pricedates.fields.state
  const currentState = record['state']
  const targets = caller ? transitionsFor(transitions, currentState, caller, () => undefined).map(({ to }) => to) : []
  const allTargets = currentState === 'draft' && targets.length > 0 ? [...targets, 'published'] : targets
  const failure = changeState.error ? messageOfFailure(changeState.error) : undefined
  return (
    <>
      {allTargets.map((targetState) => {
        if (!isTarget(targetState)) return null
        return (
          <Button
            key={targetState}
            kind={targetState === 'published' ? 'primary' : 'plain'}
            // On a phone the head has space for the most common transition of the day only.
            className={currentState === 'draft' && targetState === 'checking' ? 'max-md:hidden' : undefined}
            isBusy={changeState.isPending && (targetState === 'checking' || targetState === changeState.variables)}
            onClick={() => {
              if (changeState.isError) changeState.reset()
              if (targetState === 'checking') changeState.mutate(targetState)
              else setConfirmedTarget(targetState)
            }}
          >
            {t(targetState === 'published' ? 'prices.publish' : actions[targetState].words)}
          </Button>
        )
      })}
      {failure && confirmedTarget === undefined ? (
        <div role="alert" className="order-last basis-full">
          <FieldError>{failure}</FieldError>
        </div>
      ) : null}
      {edits ? (
        <PublishDialog
          record={record}
          edits={edits}
          open={confirmedTarget === 'published'}
          onOpenChange={(isOpen) => setConfirmedTarget(isOpen ? 'published' : undefined)}
          isBusy={changeState.isPending}
          failure={failure}
          onPublish={() => changeState.mutate('published')}
        />
      ) : null}
      <ConfirmDialog
        open={confirmedTarget === 'draft'}
        onOpenChange={(isOpen) => setConfirmedTarget(isOpen ? 'draft' : undefined)}
        title={t('prices.reopen.title')}
        description={t('prices.reopen.text')}
        confirmLabel={t('action.reopen')}
        isBusy={changeState.isPending}
        failure={failure}
        onConfirm={() => changeState.mutate('draft')}
      />
    </>
  )
}
