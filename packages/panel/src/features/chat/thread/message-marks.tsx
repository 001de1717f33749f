/** Beside a message: whether it was changed, and how far it has come with the other side. */
import Check from 'lucide-react/icons/check'
import CheckCheck from 'lucide-react/icons/check-check'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import type { Progress } from '../core/read-marks.ts'

const words = { sent: 'chat.sentState', delivered: 'chat.delivered', seen: 'chat.seen' } as const

export interface MessageMarksProps {
  isEdited: boolean
  /** Undefined where it is nobody's business. */
  progress: Progress | undefined
}

export function MessageMarks({ isEdited, progress }: MessageMarksProps) {
  const t = useT()
  if (!isEdited && !progress) return null
  const Icon = progress === 'sent' ? Check : CheckCheck
  return (
    <span className="flex shrink-0 items-center gap-1.5 pb-0.5 text-xs text-muted">
      {isEdited ? t('chat.edited') : null}
      {progress ? (
        <span data-tip={t(words[progress])}>
          <Icon size={15} aria-hidden className={cx(progress === 'seen' && 'text-brand-text')} />
          <span className="sr-only">{t(words[progress])}</span>
        </span>
      ) : null}
    </span>
  )
}
