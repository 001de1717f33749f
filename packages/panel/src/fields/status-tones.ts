/** The tones of the declarations' states; a state that is not in the table gets a neutral tone. */
import type { StatusTone } from '../ui/feedback/status-chip.tsx'

const codes: Readonly<Record<Exclude<StatusTone, 'quiet'>, readonly string[]>> = {
  good: ['published', 'processed', 'ok', 'confirmed', 'done', 'answered', 'finished', 'visible', 'open'],
  waiting: ['on_hold', 'needs_changes', 'checking', 'check', 'waiting_customer', 'reopened', 'preview'],
  bad: ['rejected', 'failed'],
  new: ['new', 'assigned', 'parsing', 'committing'],
}

export function toneOf(code: string): StatusTone {
  if (codes.good.includes(code)) return 'good'
  if (codes.waiting.includes(code)) return 'waiting'
  if (codes.bad.includes(code)) return 'bad'
  return codes.new.includes(code) ? 'new' : 'quiet'
}
