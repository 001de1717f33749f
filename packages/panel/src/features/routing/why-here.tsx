/** Why a case went to its consultant: the decisions of routing about it, loaded when they are opened. */
import type { RoutingDecision } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useId, useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { cx } from '../../lib/class-names.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import type { CaseProps } from '../../resource/case-reasons.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { RouteDetails } from './route-details.tsx'
import { nameOfRouted } from './route-text.ts'

const routeLabels = {
  room: 'GET /api/chatrooms/:id/routing',
  consultation: 'GET /api/consultations/:id/routing',
} as const

const decisionsQuery = ({ kind, id }: CaseProps) =>
  queryOptions({
    queryKey: ['resource', kind === 'room' ? 'chatrooms' : 'consultations', 'routing', id],
    queryFn: async ({ signal }) => (await callRoute(routeLabels[kind], { params: { id }, signal })).data,
    meta: { inPlace: true },
  })

export function RoutingExplanation(props: CaseProps) {
  const t = useT()
  const id = useId()
  const [open, setOpen] = useState(false)
  const answer = useQuery({ ...decisionsQuery(props), enabled: open })
  return (
    <section className="text-sm">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-8 items-center gap-1.5 rounded-1 font-semibold hover:text-brand-text pointer-coarse:min-h-11"
        >
          <ChevronRight
            size={16}
            aria-hidden
            className={cx('mirrored shrink-0 text-muted transition-transform duration-(--dur-1)', open && 'rotate-90')}
          />
          {t('routing.why')}
        </button>
      </h3>
      <div id={id} hidden={!open} className="pt-2">
        {open ? (
          <LoadedPart query={answer} rows={2}>
            {(decisions) =>
              decisions.length === 0 ? (
                <p className="text-muted">{t('routing.noDecision')}</p>
              ) : (
                <ol className="grid gap-4">
                  {decisions.map((decision) => (
                    <Decision key={decision.at} decision={decision} />
                  ))}
                </ol>
              )
            }
          </LoadedPart>
        ) : null}
      </div>
    </section>
  )
}

function Decision({ decision }: { decision: RoutingDecision }) {
  const t = useT()
  const { at, person, reasons } = decision
  // The case went to a chosen person even if that person was removed since.
  const wasGiven = person !== null || reasons.some(({ codes }) => codes.includes('chosen'))
  return (
    <li className="grid gap-2 border-s-2 border-line ps-3">
      <p className="font-medium wrap-anywhere">
        {wasGiven ? t('routing.wentTo', { name: nameOfRouted(t, person) }) : t('routing.stayed')}
      </p>
      <p className="text-xs text-muted">
        <time dateTime={at} className="tabular-nums">
          {formatDateTime(at)}
        </time>
      </p>
      <RouteDetails route={decision} />
    </li>
  )
}
