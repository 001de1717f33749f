/** Cell of the permission matrix: yes, no, or the bounds as text. */
import type { AccessDecision, Resource } from '@dala/model'
import Check from 'lucide-react/icons/check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import Minus from 'lucide-react/icons/minus'
import { useT } from '../../lib/i18n.ts'
import { Popover } from '../../ui/overlays/popover.tsx'
import { boundsOf } from './bound-labels.ts'

interface AnswerProps {
  decision: AccessDecision
  resource: Resource
}

function Mark({ decision }: { decision: AccessDecision }) {
  const t = useT()
  if (decision === true)
    return (
      <span className="inline-flex items-center gap-1.5 font-medium">
        <Check size={16} aria-hidden className="shrink-0 text-success-text" />
        {t('permissions.yes')}
      </span>
    )
  if (decision === false)
    return (
      <span className="inline-flex items-center gap-1.5 text-muted">
        <Minus size={16} aria-hidden className="shrink-0" />
        {t('permissions.no')}
      </span>
    )
  return (
    <span className="inline-flex items-center gap-1.5 font-medium">
      <CircleDashed size={16} aria-hidden className="shrink-0 text-warning-text" />
      {t('permissions.within')}
    </span>
  )
}

/** Cell of the matrix with the complete text of the bounds, where the text fits. */
export function FullAnswer({ decision, resource }: AnswerProps) {
  const t = useT()
  return (
    <div className="grid gap-1">
      <Mark decision={decision} />
      {decision ? <BoundSentences sentences={boundsOf(t, decision, resource)} /> : null}
    </div>
  )
}

function BoundSentences({ sentences }: { sentences: readonly string[] }) {
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} className="text-sm text-muted wrap-anywhere">
          {sentence}
        </p>
      ))}
    </>
  )
}

/** In a cell long bounds are truncated, and a popover shows the complete text. */
export function CellAnswer({ decision, resource, name }: AnswerProps & { name: string }) {
  const t = useT()
  if (typeof decision === 'boolean') return <Mark decision={decision} />
  const sentences = boundsOf(t, decision, resource)
  return (
    <Popover
      align="start"
      title={name}
      trigger={
        <button type="button" className="-m-1 grid gap-0.5 rounded-1 p-1 text-start hover:bg-hover">
          <Mark decision={decision} />
          <span className="line-clamp-3 text-sm text-muted">{sentences.join('. ')}</span>
        </button>
      }
    >
      {() => (
        <div className="grid gap-2.5">
          {sentences.map((sentence) => (
            <p key={sentence} className="wrap-anywhere">
              {sentence}
            </p>
          ))}
        </div>
      )}
    </Popover>
  )
}
