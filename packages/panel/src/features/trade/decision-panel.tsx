/**
 * The state of a trading post for its author: the reason, the steps that the author may take, and the pending
 * edit.
 */
import { type Entry, resources, type Transition } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { FieldDisplay, labelOf } from '../../fields/field-display.tsx'
import { formatDateTime, formatList } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { useDecide, useSteps, stepLabel } from './post-steps.ts'
import { editQuery, withdrawEdit } from './own-edit.ts'

const { tradinposts } = resources

/**
 * Message about a refused step of a post; if the step is no longer allowed, the message lists the allowed
 * ones.
 */
function useRefusal(formerState: unknown) {
  const t = useT()
  return (error: Error | null): string | undefined => {
    if (!error) return undefined
    const message = messageOfFailure(error)
    if (!(error instanceof ApiError) || error.code !== 'state.step') return message
    const allowedDecisions: unknown[] = Array.isArray(error.details['allowed']) ? error.details['allowed'] : []
    const steps = allowedDecisions
      .filter((allowedState) => typeof allowedState === 'string')
      .map((allowedState) => stepLabel({ from: String(formerState), to: allowedState }))
    return `${message}. ${
      steps.length > 0 ? t('tradinposts.allowed', { steps: formatList(t, steps) }) : t('tradinposts.noneAllowed')
    }`
  }
}

export function DecisionPanel({ record }: { record: Entry }) {
  const t = useT()
  const steps = useSteps(record)
  const decidePost = useDecide(record)
  const refusalOf = useRefusal(record['status'])
  const panel = useRef<HTMLHeadingElement>(null)
  // The pressed button of the step disappears: the panel shows the new state and takes the focus.
  const applyStep = (step: Transition) =>
    decidePost.mutate({ status: step.to }, { onSuccess: () => panel.current?.focus() })
  return (
    <Sheet hasPadding aria-labelledby="decision" className="grid gap-4">
      <h2 id="decision" ref={panel} tabIndex={-1} className="text-lg font-semibold outline-0">
        {t('tradinposts.decision')}
      </h2>
      <dl className="grid gap-2.5">
        {(['status', 'reason', 'public_note', 'expires_at'] as const)
          .filter((name) => name === 'status' || record[name])
          .map((name) => (
            <div key={name}>
              <dt className="text-sm text-muted">{labelOf(tradinposts, name)}</dt>
              <dd className="wrap-anywhere">
                <FieldDisplay resource={tradinposts} name={name} value={record[name]} />
              </dd>
            </div>
          ))}
      </dl>
      {record['edit_state'] ? <OwnEdit record={record} onDone={() => panel.current?.focus()} /> : null}
      {steps.length > 0 ? (
        <div className="grid gap-2">
          {steps.map((step) => (
            <Button
              key={step.to}
              kind={step.to === 'processed' || step.to === 'on_hold' ? 'primary' : 'plain'}
              isBusy={decidePost.isPending && decidePost.variables.status === step.to}
              onClick={() => {
                decidePost.reset()
                applyStep(step)
              }}
            >
              {stepLabel(step)}
            </Button>
          ))}
        </div>
      ) : (
        <p className="text-muted">{t('tradinposts.noSteps')}</p>
      )}
      {decidePost.error ? (
        <div role="alert">
          <FieldError>{refusalOf(decidePost.error)}</FieldError>
        </div>
      ) : null}
    </Sheet>
  )
}

/** Sheet with the author's edit beside the public text: its changes, and the button that withdraws it. */
function OwnEdit({ record, onDone }: { record: Entry; onDone: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const { data: edit } = useQuery(editQuery(record.id))
  const withdrawMutation = useMutation({
    mutationFn: () => withdrawEdit(record.id),
    meta: { inPlace: true, missed: t('message.notSaved', { resource: t('tradinposts.one') }) },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  if (!edit) return null
  const fields = [...new Set(edit.changes.map(({ field }) => labelOf(tradinposts, field)))]
  return (
    <div className="grid gap-2 rounded-2 bg-sunken px-3.5 py-3">
      <p className="font-semibold">
        {t(edit.state === 'waiting' ? 'tradinposts.edit.waiting' : 'tradinposts.edit.returned')}
      </p>
      <p className="text-sm text-muted">
        {formatDateTime(edit.at)}. {formatList(t, fields)}
      </p>
      <Button
        isBusy={withdrawMutation.isPending}
        onClick={() => withdrawMutation.mutate(undefined, { onSuccess: onDone })}
      >
        {t('tradinposts.edit.withdraw')}
      </Button>
      {withdrawMutation.error ? <FieldError>{messageOfFailure(withdrawMutation.error)}</FieldError> : null}
    </div>
  )
}
