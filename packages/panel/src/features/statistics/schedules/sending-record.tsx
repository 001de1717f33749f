/** Dialog with the letters of a schedule: when each was sent, or why not. */
import type { ReportSchedule, ReportSending, SendingState } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { StatusChip, type StatusTone } from '../../../ui/feedback/status-chip.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { momentText, sendingsQuery } from './schedules.ts'

const tones: Readonly<Record<SendingState, StatusTone>> = {
  sent: 'good',
  waiting: 'waiting',
  skipped: 'quiet',
  failed: 'bad',
}

interface SendingRecordProps {
  schedule: Pick<ReportSchedule, 'id' | 'title'>
  zone: string
  isOpen: boolean
  onClose: () => void
}

export function SendingRecord({ schedule, zone, isOpen, onClose }: SendingRecordProps) {
  const t = useT()
  return (
    <Dialog
      isMedium
      open={isOpen}
      onOpenChange={(shouldOpen) => !shouldOpen && onClose()}
      title={t('statistics.schedules.record')}
      description={schedule.title}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <Letters id={schedule.id} zone={zone} />
    </Dialog>
  )
}

function Letters({ id, zone }: { id: number; zone: string }) {
  const t = useT()
  const { data, error } = useQuery(sendingsQuery(id))
  if (error && !data) return <FailureLine>{messageOfFailure(error)}</FailureLine>
  if (!data) return <Skeleton className="h-24" />
  if (data.length === 0) return <p className="text-muted">{t('statistics.schedules.none')}</p>
  return (
    <ul className="divide-y divide-line">
      {data.map((letter) => (
        <LetterLine key={letter.id} letter={letter} zone={zone} />
      ))}
    </ul>
  )
}

function LetterLine({ letter, zone }: { letter: ReportSending; zone: string }) {
  const t = useT()
  const { user, address, state, reason, detail, due_at: dueTime } = letter
  return (
    <li className="grid gap-0.5 py-2 text-sm">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium wrap-anywhere">{address ?? user?.name ?? t('statistics.removedPerson')}</span>
        <StatusChip tone={tones[state]}>{t(`statistics.schedules.states.${state}`)}</StatusChip>
      </span>
      <span className="text-muted">{momentText(t, dueTime, zone)}</span>
      {reason ? (
        <span className="wrap-anywhere">{t(`statistics.schedules.reasons.${reason}`, { detail: detail ?? '' })}</span>
      ) : null}
    </li>
  )
}
