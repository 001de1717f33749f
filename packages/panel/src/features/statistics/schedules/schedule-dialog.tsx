/** Dialog that has a saved report sent regularly: when, to whom, and as which file (statistics §7). */
import {
  maxScheduleRecipients,
  nextSendingDay,
  rankOfRole,
  type ReportFormat,
  reportFormats,
  type ReportSchedule,
  type SavedReport,
  type SendingRule,
  writtenLocaleNames,
  writtenLocales,
} from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callerRoleOf, meQuery, nameOfUser } from '../../../api/session.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { formatDate, weekdayNames } from '../../../lib/format.ts'
import { useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { FailureLine, Field, FieldError } from '../../../ui/inputs/field.tsx'
import { Textarea } from '../../../ui/inputs/input.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { formatNames } from '../files/format-names.ts'
import { readAddresses, ReadersInput } from './readers.tsx'
import { hourText, momentText, schedulesQuery, useScheduleActions, zoneText } from './schedules.ts'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const monthDays = Array.from({ length: 31 }, (_, index) => index + 1)
/** Last day that every month has. */
const shortestMonth = 28

interface ScheduleDialogProps {
  /** Saved report of a new schedule, or the schedule to change. */
  subject: { saved: Pick<SavedReport, 'id' | 'title' | 'query'> } | { schedule: ReportSchedule }
  isOpen: boolean
  onClose: () => void
}

export function ScheduleDialog({ subject, isOpen, onClose }: ScheduleDialogProps) {
  const t = useT()
  const title = 'saved' in subject ? subject.saved.title : subject.schedule.title
  const formId = 'schedule-form'
  const { store } = useScheduleActions()
  const obstacle = useObstacle()
  return (
    <Dialog
      isMedium
      open={isOpen}
      onOpenChange={(shouldOpen) => !shouldOpen && onClose()}
      title={t('saved' in subject ? 'statistics.schedules.save' : 'statistics.schedules.change')}
      description={t('statistics.schedules.what', { name: title })}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={store.isPending} disabled={obstacle ?? false}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <ScheduleForm id={formId} subject={subject} store={store} onClose={onClose} />
    </Dialog>
  )
}

interface ScheduleFormProps extends Pick<ScheduleDialogProps, 'subject' | 'onClose'> {
  id: string
  store: ReturnType<typeof useScheduleActions>['store']
}

function ScheduleForm({ id, subject, store, onClose }: ScheduleFormProps) {
  const t = useT()
  const written = useWrittenLocale()
  const { data: me } = useQuery(meQuery)
  const { data: list } = useQuery(schedulesQuery)
  const formerSchedule = 'schedule' in subject ? subject.schedule : undefined
  const isStaff = me !== undefined && rankOfRole(callerRoleOf(me).role) >= rankOfRole('admin')
  const self = me && { id: me.id, name: nameOfUser(me) }
  const [kind, setKind] = useState<'weekly' | 'monthly'>(formerSchedule?.weekday === null ? 'monthly' : 'weekly')
  const [weekday, setWeekday] = useState(formerSchedule?.weekday ?? 1)
  const [monthDay, setMonthDay] = useState(formerSchedule?.month_day ?? 1)
  const [hour, setHour] = useState(formerSchedule?.hour ?? 8)
  const [format, setFormat] = useState<ReportFormat>(formerSchedule?.format ?? 'pdf')
  const [chosenReaders, setChosenReaders] = useState(formerSchedule?.recipients.users)
  const [typedAddresses, setTypedAddresses] = useState(formerSchedule?.recipients.addresses.join(', ') ?? '')
  const [language, setLanguage] = useState(formerSchedule?.locale ?? written)
  const [isSubmitted, setSubmitted] = useState(false)
  const addressBox = useRef<HTMLTextAreaElement>(null)
  const readers = chosenReaders ?? (self ? [self] : [])
  const { addresses, wrong } = isStaff ? readAddresses(typedAddresses) : { addresses: [], wrong: [] }
  const rule: SendingRule = {
    weekday: kind === 'weekly' ? weekday : null,
    month_day: kind === 'monthly' ? monthDay : null,
    hour,
  }
  const zone = list ? zoneText(t, list.meta.tz) : ''
  const isForPerson = 'saved' in subject && subject.saved.query.filters?.consultant !== undefined
  const isWithPerson = isForPerson && addresses.length > 0
  const addressError =
    wrong.length > 0
      ? t('statistics.schedules.invalid', { addresses: wrong.join(', ') })
      : isWithPerson
        ? t('statistics.schedules.withPerson')
        : undefined
  const isNobody = readers.length + addresses.length === 0
  const submit = () => {
    setSubmitted(true)
    if (addressError) return addressBox.current?.focus()
    if (isNobody || store.isPending) return
    const draft = { ...rule, users: readers.map((reader) => reader.id), addresses, format, locale: language }
    store.mutate(
      { to: 'saved' in subject ? { saved: subject.saved.id } : { schedule: subject.schedule }, draft },
      {
        onSuccess: (storedSchedule) => {
          const time = momentText(t, storedSchedule.next_at, list?.meta.tz ?? 'UTC')
          const title = storedSchedule.active
            ? t('statistics.schedules.done', { time })
            : t('statistics.schedules.paused')
          showToast({ kind: 'success', title })
          onClose()
        },
      },
    )
  }
  return (
    <form
      id={id}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {list?.meta.mail === false ? <NoMail /> : null}
      <SegmentedControl
        label={t('statistics.schedules.often')}
        value={kind}
        onValueChange={setKind}
        segments={(['weekly', 'monthly'] as const).map((value) => ({
          value,
          label: t(`statistics.schedules.${value}`),
        }))}
      />
      <div className="grid gap-4 md:grid-cols-2">
        {kind === 'weekly' ? (
          <Field label={t('statistics.schedules.weekday')}>
            <Select
              value={weekday}
              onValueChange={setWeekday}
              choices={weekdayNames(t).map((label, index) => ({ value: index + 1, label }))}
            />
          </Field>
        ) : (
          <Field
            label={t('statistics.schedules.day')}
            help={monthDay > shortestMonth ? t('statistics.schedules.dayHelp') : undefined}
          >
            <Select
              value={monthDay}
              onValueChange={setMonthDay}
              choices={monthDays.map((value) => ({ value, label: String(value) }))}
            />
          </Field>
        )}
        <Field label={t('statistics.schedules.hour', { zone })}>
          <Select
            value={hour}
            onValueChange={setHour}
            choices={hours.map((value) => ({ value, label: hourText(value) }))}
          />
        </Field>
      </div>
      <SegmentedControl
        label={t('statistics.files.format')}
        value={format}
        onValueChange={setFormat}
        segments={reportFormats.map((value) => ({ value, label: formatNames[value] }))}
      />
      {isStaff ? (
        <>
          <Field
            label={t('statistics.schedules.people')}
            help={t('statistics.schedules.peopleHelp')}
            error={isSubmitted && isNobody ? t('statistics.schedules.nobody') : undefined}
          >
            <ReadersInput
              value={readers}
              onChange={(newReaders) => setChosenReaders(newReaders.slice(0, maxScheduleRecipients))}
            />
          </Field>
          <Field
            label={t('statistics.schedules.addresses')}
            help={t('statistics.schedules.addressesHelp')}
            error={isSubmitted ? addressError : undefined}
          >
            <Textarea
              ref={addressBox}
              rows={2}
              value={typedAddresses}
              inputMode="email"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTypedAddresses(event.target.value)}
            />
          </Field>
          {addresses.length > 0 ? (
            <Field label={t('statistics.schedules.addressesLanguage')}>
              <Select
                value={language}
                onValueChange={setLanguage}
                choices={writtenLocales.map((value) => ({ value, label: writtenLocaleNames[value] }))}
              />
            </Field>
          ) : null}
        </>
      ) : (
        <p className="text-sm">{t('statistics.schedules.ownOnly', { email: me?.email ?? '' })}</p>
      )}
      {list ? (
        <output className="rounded-2 bg-sunken px-3 py-2 text-sm font-medium">
          {t('statistics.schedules.next', {
            time: `${formatDate(nextSendingDay(rule, list.meta))} ${hourText(hour)} (${zone})`,
          })}
        </output>
      ) : null}
      <FailureLine>{store.error ? messageOfFailure(store.error) : undefined}</FailureLine>
    </form>
  )
}

/** Says that letters reach nobody until a mail server is configured. */
export function NoMail() {
  const t = useT()
  return (
    <div className="rounded-2 border border-line bg-warning-soft px-3 py-2">
      <FieldError>{t('statistics.schedules.noMail')}</FieldError>
    </div>
  )
}
