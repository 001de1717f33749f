/** Decisions on a post, newest first, with the moderators' notes for colleagues. */
import type { PostDecision } from '@dala/model'
import { formatDateTime, formatList } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { outcomeLabel } from './outcome-labels.ts'
import { useReasonLabels } from './reports.tsx'

export function DecisionTrail({ decisions }: { decisions: readonly PostDecision[] }) {
  const t = useT()
  const labelOfReason = useReasonLabels()
  if (decisions.length === 0) return null
  return (
    <section aria-labelledby="decisions" className="border-t border-line pt-3">
      <h2 id="decisions" className="mb-2 font-semibold">
        {t('moderation.decisions')}
      </h2>
      <ol className="grid gap-2">
        {decisions.map((decision) => (
          <li key={decision.id} className="text-sm">
            <span className={decision.undone ? 'line-through' : ''}>
              <time className="text-muted tabular-nums">{formatDateTime(decision.at)}</time>{' '}
              <b className="font-semibold">{outcomeLabel(decision)}</b>
              {decision.by ? (
                <>
                  , <bdi>{decision.by.name}</bdi>
                </>
              ) : null}
              {decision.reasons.length > 0 ? `: ${formatList(t, decision.reasons.map(labelOfReason))}` : ''}
            </span>
            {decision.undone ? <span className="ms-2 text-muted">{t('moderation.undone')}</span> : null}
            {decision.public_note ? <span className="block wrap-anywhere">{decision.public_note}</span> : null}
            {decision.staff_note ? (
              <span className="block text-muted wrap-anywhere">
                {t('moderation.staffNote')}: {decision.staff_note}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  )
}
