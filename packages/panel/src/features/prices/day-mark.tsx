/** Mark of a price day: icon, colour and label. */
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleEllipsis from 'lucide-react/icons/circle-ellipsis'
import PenLine from 'lucide-react/icons/pen-line'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import type { DayMark } from './day-marks.ts'

const appearances = {
  none: { Icon: CircleDashed, colour: 'text-muted', words: 'prices.mark.none' },
  draft: { Icon: PenLine, colour: 'text-info-text', words: 'value.state.draft' },
  checking: { Icon: CircleEllipsis, colour: 'text-warning-text', words: 'value.state.checking' },
  published: { Icon: CircleCheck, colour: 'text-success-text', words: 'value.state.published' },
  gaps: { Icon: TriangleAlert, colour: 'text-warning-text', words: 'prices.mark.gaps' },
} as const

/** Catalogue key for the label of a price day's mark. */
export const markLabelOf = (mark: DayMark) => appearances[mark].words

export const marks = ['published', 'gaps', 'checking', 'draft', 'none'] as const

export function MarkIcon({ mark, size = 16 }: { mark: DayMark; size?: number }) {
  const { Icon, colour } = appearances[mark]
  return <Icon size={size} aria-hidden className={cx('shrink-0', colour)} />
}

/** Icon and label of a price day's mark. */
export function MarkLabel({ mark }: { mark: DayMark }) {
  const t = useT()
  return (
    <span className={cx('inline-flex items-center gap-1.5', appearances[mark].colour)}>
      <MarkIcon mark={mark} />
      {t(markLabelOf(mark))}
    </span>
  )
}
