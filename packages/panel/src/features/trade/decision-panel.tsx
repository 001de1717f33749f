/** The decision on a trading post: what may be done with it now, why, and the way to the next one that waits. */
import { type Entry, resources, type Screen, type Step } from '@dala/model'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { FieldDisplay, isEntry, labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { formatList } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { seenAddress } from '../../resource/screen-address.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useDecide, useNextWaiting, useSteps, wordsOfStep } from './post-steps.ts'
import { ReasonDialog } from './reason-dialog.tsx'

const { tradinposts } = resources

/** Approving is what most posts wait for; refusing looks like what it is. */
function kindOf({ to }: Step): 'primary' | 'danger' | 'plain' {
  return to === 'processed' ? 'primary' : to === 'rejected' ? 'danger' : 'plain'
}

/** The words of a refusal; a step that is not legal any more comes with those that are. */
function useRefusal(from: unknown) {
  const t = useT()
  return (error: Error | null): string | undefined => {
    if (!error) return undefined
    const words = wordsOfFailure(error)
    if (!(error instanceof ApiError) || error.code !== 'state.step') return words
    const allowed: unknown[] = Array.isArray(error.details['allowed']) ? error.details['allowed'] : []
    const steps = allowed.filter((to) => typeof to === 'string').map((to) => wordsOfStep({ from: String(from), to }))
    return `${words}. ${
      steps.length > 0 ? t('tradinposts.allowed', { steps: formatList(t, steps) }) : t('tradinposts.noneAllowed')
    }`
  }
}

/** The step that the address asks for: a decision begun in the list. */
function useAsked(steps: readonly Step[]): [Step | undefined, (to: string | undefined) => void] {
  const { decide }: { decide?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  return [
    steps.find(({ to, reason }) => reason && to === decide),
    (to) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, decide: to }),
        replace: true,
        resetScroll: false,
      }),
  ]
}

export function DecisionPanel({ screen, record }: { screen: Screen; record: Entry }) {
  const t = useT()
  const nameOf = useTitleOf(resources.users)
  const steps = useSteps(record)
  const [asked, ask] = useAsked(steps)
  const decide = useDecide(record)
  const refusalOf = useRefusal(record['status'])
  const next = useNextWaiting(record)
  const panel = useRef<HTMLHeadingElement>(null)
  const { moderated_by: judge } = record

  const take = (step: Step, given: { reason?: string; public_note?: string } = {}) =>
    decide.mutate(
      { status: step.to, ...given },
      {
        onSuccess: () => {
          ask(undefined)
          // The button that was pressed is gone: its panel says how the post stands now.
          panel.current?.focus()
        },
      },
    )
  return (
    <Sheet padded aria-labelledby="decision" className="grid gap-4">
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
        {isEntry(judge) ? (
          <div>
            <dt className="text-sm text-muted">{labelOf(tradinposts, 'moderated_by')}</dt>
            <dd>{nameOf(judge)}</dd>
          </div>
        ) : null}
      </dl>
      {steps.length > 0 ? (
        <div className="grid gap-2">
          {steps.map((step) => (
            <Button
              key={step.to}
              kind={kindOf(step)}
              busy={decide.isPending && decide.variables.status === step.to}
              onClick={() => {
                decide.reset()
                if (step.reason) ask(step.to)
                else take(step)
              }}
            >
              {wordsOfStep(step)}
            </Button>
          ))}
        </div>
      ) : (
        <p className="text-muted">{t('tradinposts.noSteps')}</p>
      )}
      {decide.error && !asked ? (
        <div role="alert">
          <FieldError>{refusalOf(decide.error)}</FieldError>
        </div>
      ) : null}
      {next ? (
        <Link {...seenAddress(screen, next.id)} className={buttonClass('quiet')}>
          {t('tradinposts.next')}
          <ArrowRight size={16} aria-hidden className="rtl:rotate-180" />
        </Link>
      ) : null}
      <ReasonDialog
        step={asked}
        busy={decide.isPending}
        failure={refusalOf(decide.error)}
        onClose={() => {
          decide.reset()
          ask(undefined)
        }}
        onConfirm={(given) => asked && take(asked, given)}
      />
    </Sheet>
  )
}
