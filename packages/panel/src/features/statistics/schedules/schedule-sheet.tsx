/** List of the schedules of reports, with their last and next sending (statistics §7). */
import type { ReportSchedule } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import History from 'lucide-react/icons/history'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import type { Translate } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { StatusChip } from '../../../ui/feedback/status-chip.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { formatNames } from '../files/format-names.ts'
import { NoMail, ScheduleDialog } from './schedule-dialog.tsx'
import { momentText, ruleText, schedulesQuery, useScheduleActions } from './schedules.ts'
import { SendingRecord } from './sending-record.tsx'

/** The schedules that the user may see; nothing while there are none. */
export function ScheduleSheet() {
  const t = useT()
  const { data, error } = useQuery(schedulesQuery)
  const title = t('statistics.schedules.title')
  if (!error && (!data || data.data.length === 0)) return null
  return (
    <Sheet hasPadding aria-label={title} className="no-print mt-5">
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      <FailureLine>{error && !data ? messageOfFailure(error) : undefined}</FailureLine>
      {data?.meta.mail === false ? <NoMail /> : null}
      <ul className="divide-y divide-line">
        {data?.data.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} zone={data.meta.tz} />
        ))}
      </ul>
    </Sheet>
  )
}

/** Texts about the latest sending of a schedule: its time, and its letters by state. */
function lastTexts(t: Translate, { last }: ReportSchedule, zone: string): string[] {
  if (!last) return [t('statistics.schedules.none')]
  const { letters, sent, waiting } = last
  const failedCount = letters - sent - waiting
  return [
    t('statistics.schedules.last', { time: momentText(t, last.due_at, zone) }),
    sent > 0 ? t('statistics.schedules.sent', { count: sent }) : '',
    waiting > 0 ? t('statistics.schedules.waiting', { count: waiting }) : '',
    failedCount > 0 ? t('statistics.schedules.failed', { count: failedCount }) : '',
  ].filter(Boolean)
}

function ScheduleRow({ schedule, zone }: { schedule: ReportSchedule; zone: string }) {
  const t = useT()
  const obstacle = useObstacle()
  const { setActive, remove } = useScheduleActions()
  const [openDialog, setOpenDialog] = useState<'form' | 'record' | undefined>()
  const { id, title, active, paused, own, by, recipients, saved, next_at: nextSendingTime } = schedule
  const { users, addresses } = recipients
  const readers = t('statistics.schedules.readers', { count: users.length + addresses.length })
  const names = [...users.map((user) => user.name ?? t('statistics.removedPerson')), ...addresses].join(', ')
  const closeDialog = () => setOpenDialog(undefined)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5 text-sm">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium text-md wrap-anywhere">{title}</span>
          {active ? null : <StatusChip tone={paused ? 'bad' : 'quiet'}>{t('statistics.schedules.paused')}</StatusChip>}
        </span>
        <span>
          {ruleText(t, schedule)} · {formatNames[schedule.format]} · {readers}
        </span>
        <span className="text-muted wrap-anywhere">{names}</span>
        {own ? null : (
          <span className="text-muted">
            {t('statistics.schedules.by', { name: by.name ?? t('statistics.removedPerson') })}
          </span>
        )}
        {paused ? <span className="text-danger-text">{t(`statistics.schedules.pauses.${paused}`)}</span> : null}
        {nextSendingTime ? (
          <span>{t('statistics.schedules.next', { time: momentText(t, nextSendingTime, zone) })}</span>
        ) : null}
        <span className="text-muted">{lastTexts(t, schedule, zone).join(' · ')}</span>
      </div>
      <div className="flex gap-1">
        <IconButton
          label={`${t('statistics.schedules.record')}: ${title}`}
          icon={<History size={17} aria-hidden />}
          onClick={() => setOpenDialog('record')}
        />
        {own && saved !== null ? (
          <>
            <IconButton
              label={`${t('statistics.schedules.change')}: ${title}`}
              icon={<Pencil size={17} aria-hidden />}
              onClick={() => setOpenDialog('form')}
            />
            <IconButton
              label={`${t(active ? 'statistics.schedules.pause' : 'statistics.schedules.resume')}: ${title}`}
              icon={active ? <Pause size={17} aria-hidden /> : <Play size={17} aria-hidden />}
              disabled={obstacle ?? false}
              onClick={() => setActive.mutate({ ...schedule, active: !active })}
            />
          </>
        ) : null}
        <IconButton
          label={`${t('action.delete')}: ${title}`}
          icon={<Trash2 size={17} aria-hidden />}
          disabled={obstacle ?? false}
          onClick={() => remove.mutate(schedule)}
        />
      </div>
      <ScheduleDialog
        key={`${id} ${openDialog}`}
        subject={{ schedule }}
        isOpen={openDialog === 'form'}
        onClose={closeDialog}
      />
      <SendingRecord schedule={schedule} zone={zone} isOpen={openDialog === 'record'} onClose={closeDialog} />
    </li>
  )
}
