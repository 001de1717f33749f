/** The events of a consultation in order: asked, answered, and its steps with their notes for the desk. */
import { type ConsultationStepLine, type Entry, resources } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { messageOfFailure, nameOfCard } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { formatDateTime, type Translate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { FailureLine } from '../../ui/inputs/field.tsx'

const { consultations } = resources

/** Steps of a consultation, newest first; only the desk may read them. */
const stepsQuery = (id: number) =>
  queryOptions({
    queryKey: ['resource', 'consultations', 'one', id, 'steps'],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/consultations/:id/steps', { params: { id }, signal })).results,
    meta: { inPlace: true },
  })

interface PastEvent {
  label: string
  at: unknown
  /** User of the event, if one is known. */
  by?: string | undefined
  note?: unknown
}

/** Text of a step of a consultation: an assignment names the former and the new consultant. */
function stepText(t: Translate, { action, from, to }: ConsultationStepLine): string {
  if (action === 'no_reply') return t('chat.happened.no_reply')
  if (action !== 'assign') return t(`consultation.step.${action}`)
  if (!to) return t('chat.happened.released')
  const name = nameOfCard(to)
  return from
    ? t('chat.happened.handedOver', { from: nameOfCard(from), to: name })
    : t('chat.happened.assigned', { name })
}

export function Progress({ record, isDesk }: { record: Entry; isDesk: boolean }) {
  const t = useT()
  const { data: steps = [], error } = useQuery({ ...stepsQuery(record.id), enabled: isDesk })
  // Consultations from before the steps were stored have the times of their steps only.
  const hasStep = (action: ConsultationStepLine['action']) => steps.some((step) => step.action === action)
  const events: PastEvent[] = [
    { label: t('consultation.asked'), at: record.createdAt },
    { label: labelOf(consultations, 'answered_at'), at: record.answered_at },
    { label: labelOf(consultations, 'reopened_at'), at: hasStep('reopen') ? null : record.reopened_at },
    {
      label: labelOf(consultations, 'finished_at'),
      at: hasStep('finish') ? null : record.finished_at,
      note: record.finish_reason,
    },
    ...steps.map((step) => ({
      label: stepText(t, step),
      at: step.at,
      by: step.user ? nameOfCard(step.user) : undefined,
      note: step.note ?? (step.action === 'finish' ? record.finish_reason : null),
    })),
  ]
  const pastEvents = events
    .flatMap(({ at, ...otherFields }) => (typeof at === 'string' ? [{ ...otherFields, at }] : []))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return (
    <section className="grid gap-2.5">
      <h2 className="text-sm font-semibold">{t('consultation.facts')}</h2>
      <ol className="grid gap-2.5 border-s border-line ps-3.5 text-sm">
        {pastEvents.map(({ label, at, by, note }, index) => (
          <li key={`${at}-${index}`}>
            <p className="text-xs text-muted wrap-anywhere">{label}</p>
            <p>
              <time dateTime={at} className="tabular-nums">
                {formatDateTime(at)}
              </time>
              {by ? (
                <>
                  {' · '}
                  <bdi>{by}</bdi>
                </>
              ) : null}
            </p>
            {typeof note === 'string' ? (
              <p dir="auto" className="text-muted wrap-anywhere whitespace-pre-wrap">
                {note}
              </p>
            ) : null}
          </li>
        ))}
      </ol>
      <FailureLine>{error ? messageOfFailure(error) : undefined}</FailureLine>
    </section>
  )
}
