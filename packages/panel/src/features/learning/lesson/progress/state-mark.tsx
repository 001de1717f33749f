/** The mark of a lesson or a part in a list: completed, started, not started or locked. */
import Check from 'lucide-react/icons/check'
import Lock from 'lucide-react/icons/lock'

export type StudyState = 'done' | 'started' | 'open' | 'locked'

/** State of a lesson or a part by its percentage; one that the learner has opened counts as started. */
export function stateOf(percent: number, isCurrent: boolean): StudyState {
  if (percent === 100) return 'done'
  return percent > 0 || isCurrent ? 'started' : 'open'
}

export function StateMark({ state }: { state: StudyState }) {
  if (state === 'locked') return <Lock size={18} aria-hidden className="shrink-0 text-muted" />
  if (state === 'done') {
    return (
      <span aria-hidden className="grid size-[18px] shrink-0 place-items-center rounded-full bg-brand text-on-brand">
        <Check size={12} strokeWidth={3} />
      </span>
    )
  }
  return (
    <span aria-hidden className="flex size-[18px] shrink-0 overflow-clip rounded-full border-2 border-line-strong">
      {state === 'started' ? <span className="w-1/2 bg-brand-ui" /> : null}
    </span>
  )
}
