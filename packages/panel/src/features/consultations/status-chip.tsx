/** Status of a consultation: an icon, and always the label. */
import { choiceLabel, resources } from '@dala/model'
import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDot from 'lucide-react/icons/circle-dot'
import Flag from 'lucide-react/icons/flag'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { cx } from '../../lib/class-names.ts'
import { firstTranslation } from '../../lib/i18n.ts'
import type { CellProps } from '../../resource/screen-parts.ts'

const statusShapes = {
  new: { Icon: Circle, toneClass: 'text-warning-text' },
  assigned: { Icon: CircleDot, toneClass: 'text-info-text' },
  answered: { Icon: CircleCheck, toneClass: 'text-success-text' },
  finished: { Icon: Flag, toneClass: 'text-muted' },
  reopened: { Icon: RotateCcw, toneClass: 'text-warning-text' },
} as const
const { values } = resources.consultations.fields.status
export type ConsultationStatus = keyof typeof statusShapes

export function statusOf(value: unknown): ConsultationStatus {
  return values.find((status) => status === value) ?? 'new'
}

export function StatusChip({ status }: { status: ConsultationStatus }) {
  const { Icon, toneClass } = statusShapes[status]
  return (
    <span className={cx('inline-flex items-center gap-[7px] whitespace-nowrap max-md:whitespace-normal', toneClass)}>
      <Icon size={15} aria-hidden className="shrink-0" />
      {firstTranslation(choiceLabel(resources.consultations, 'status', status))}
    </span>
  )
}

export const StatusCell = ({ value }: CellProps) => <StatusChip status={statusOf(value)} />
