/** The line beside the date of a price day: weekday, state of the day, and state of saving. */
import type { Entry } from '@dala/model'
import { useSyncExternalStore } from 'react'
import { isEntry, useTitleOf } from '../../fields/field-display.tsx'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { dayToDate, formatDateTime, formatTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import type { CellEdits } from './cell-edits.ts'
import { useDayEdits } from './day-edits.ts'
import { MarkLabel } from './day-mark.tsx'
import { markOf } from './day-marks.ts'

const weekdays = [7, 1, 2, 3, 4, 5, 6] as const

export function DayLine({ record }: { record: Entry }) {
  const t = useT()
  const nameOf = useTitleOf(resourceNamed('users'))
  const edits = useDayEdits(record)
  const { published_at: publishedAt, published_by: publisher, note, date, state } = record
  const weekday = weekdays[dayToDate(String(date))?.getDay() ?? 0] ?? 7
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-0.5">
      <span className="text-muted max-md:hidden">{t(`date.weekday.${weekday}`)}</span>
      <MarkLabel mark={markOf(record)} />
      {typeof publishedAt === 'string' ? (
        <span className="tabular-nums">
          {formatDateTime(publishedAt)}
          {isEntry(publisher) ? <>, {nameOf(publisher)}</> : null}
        </span>
      ) : null}
      {edits && state !== 'published' ? <SaveState edits={edits} /> : null}
      {typeof note === 'string' && note !== '' ? (
        <span className="max-md:hidden">
          {t('field.note')}: {note}
        </span>
      ) : null}
    </span>
  )
}

/** Shows whether price edits are saved, being saved, waiting for the connection, or unsaved. */
function SaveState({ edits }: { edits: CellEdits }) {
  const t = useT()
  useSyncExternalStore(edits.subscribe, edits.version)
  const [pendingCount, failedCount, wrongCount] = [
    edits.count('pending', 'kept'),
    edits.count('failed'),
    edits.count('wrong', 'clash'),
  ]
  const savedAt = edits.savedAt()
  const failure = edits.failure()
  const isBusy = edits.count('waiting', 'saving') > 0
  return (
    <output className="flex flex-wrap items-center gap-x-3">
      {isBusy ? <span>{t('prices.saving')}</span> : null}
      {pendingCount > 0 ? (
        <span className="text-warning-text">{t('prices.pending', { count: pendingCount })}</span>
      ) : null}
      {wrongCount > 0 ? <span className="text-danger-text">{t('prices.unsaved', { count: wrongCount })}</span> : null}
      {failedCount > 0 ? (
        <>
          <span className="text-danger-text">
            {t('prices.unsaved', { count: failedCount })}
            {failure ? `. ${failure}` : ''}
          </span>
          <LinkButton onClick={() => edits.retry()}>{t('action.retry')}</LinkButton>
        </>
      ) : null}
      {!isBusy && pendingCount + failedCount + wrongCount === 0 && savedAt !== undefined ? (
        <span>{t('prices.savedAt', { time: formatTime(new Date(savedAt)) })}</span>
      ) : null}
    </output>
  )
}
