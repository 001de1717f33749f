/** State of a part of the System page in a word, with a dot or a ring that needs no colour. */
import { cx } from '../../lib/class-names.ts'

export type Tone = 'good' | 'warning' | 'bad' | 'quiet'

const tones: Readonly<Record<Tone, { text: string; mark: string }>> = {
  good: { text: 'text-success-text', mark: 'bg-current' },
  warning: { text: 'text-warning-text', mark: 'bg-transparent' },
  bad: { text: 'text-danger-text', mark: 'bg-current' },
  quiet: { text: 'text-muted', mark: 'bg-transparent' },
}

export function StateNote({ tone, children }: { tone: Tone; children: string }) {
  const { text, mark } = tones[tone]
  return (
    <span className={cx('inline-flex items-center gap-1.5 text-sm', text)}>
      <i aria-hidden className={cx('size-[9px] shrink-0 rounded-full border-2 border-current', mark)} />
      {children}
    </span>
  )
}
