/** One row of work: who or what waits, location, waiting time, and the action that completes it. */
import { type HomeGroup, type HomeRow, putOffTimes, type PutOffTime } from '@dala/model'
import { Link, useNavigate } from '@tanstack/react-router'
import AlarmClock from 'lucide-react/icons/alarm-clock'
import Clock from 'lucide-react/icons/clock'
import FileQuestionMark from 'lucide-react/icons/file-question-mark'
import FileText from 'lucide-react/icons/file-text'
import MapPin from 'lucide-react/icons/map-pin'
import Store from 'lucide-react/icons/store'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useId, useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import type { CurrentUser } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { cx } from '../../lib/class-names.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LanguageCoverage } from '../../ui/language-coverage.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { offerUndo } from '../../ui/feedback/undo.ts'
import { actionOf, addressOfRow, homeCalls } from './home-data.ts'
import { rowTexts, waitLabel } from './home-text.ts'

interface WorkRowProps {
  group: HomeGroup
  row: HomeRow
  me: CurrentUser
  now: Date
  isCurrent: boolean
  onDialog: () => void
  refreshHome: () => Promise<void>
}

const icons = {
  flagged: <TriangleAlert size={17} strokeWidth={1.8} aria-hidden />,
  prices: <MapPin size={17} strokeWidth={1.8} aria-hidden />,
  posts: <Store size={17} strokeWidth={1.8} aria-hidden />,
  translations: <FileText size={17} strokeWidth={1.8} aria-hidden />,
  question: <FileQuestionMark size={17} strokeWidth={1.8} aria-hidden />,
} as const

function iconOf({ key }: HomeGroup, { kind }: HomeRow) {
  if (kind === 'flagged') return icons.flagged
  return key === 'prices' || key === 'posts' || key === 'translations' ? icons[key] : icons.question
}

/** A row of work has one line on wide screens, two on tablets, and a line for each part on a phone. */
const rowClass =
  'relative grid items-center border-b border-line transition-opacity duration-160 md:min-h-14 md:grid-cols-[32px_minmax(0,1fr)_128px_156px] md:gap-x-3 md:py-1.5 md:ps-4 md:pe-3 min-[1360px]:h-11 min-[1360px]:min-h-0 min-[1360px]:grid-cols-[32px_minmax(0,1fr)_216px_128px_150px] min-[1360px]:py-0 ' +
  'max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-2.5 max-md:gap-y-0.5 max-md:px-3.5 max-md:py-2.5'
/** Class of contents beside both lines of a row on the home page. */
const rowSpanClass = 'md:max-[1359px]:row-span-2 md:max-[1359px]:row-start-1'
const currentClass =
  'md:bg-[color-mix(in_oklab,var(--brand-soft)_45%,var(--surface))] md:shadow-[inset_3px_0_0_var(--brand-ui)] md:rtl:shadow-[inset_-3px_0_0_var(--brand-ui)]'

export function WorkRow({ group, row, me, now, isCurrent, onDialog, refreshHome: refresh }: WorkRowProps) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const navigate = useNavigate()
  const obstacle = useObstacle()
  const [isLeaving, setLeaving] = useState(false)
  const { key } = group
  const { title, note, location, person } = rowTexts(t, locale, key, row)
  const wait = waitLabel(t, key, row, now)
  const address = addressOfRow(key, row)
  const action = actionOf(key, row)
  const changesOwner = action === 'assign' || action === 'handOver' || action === 'take'
  // Whether a row of work has one line: rows of translations, and those with a location or a person, have
  // two.
  const isOneLine = key !== 'translations' && !location && !person
  const isPerson = (key === 'chats' || key === 'ownChats') && row.from !== null

  /** The row of work fades during the call, and returns when the call is refused. */
  const runAndLeave = async (call: () => Promise<unknown>, onDone: () => void) => {
    setLeaving(true)
    try {
      await call()
      onDone()
      await refresh()
    } catch (error) {
      if (error instanceof Error)
        showToast({ kind: 'error', title: t('message.notDone'), text: messageOfFailure(error) })
    } finally {
      setLeaving(false)
    }
  }
  const runAction = () => {
    if (action === 'assign' || action === 'handOver') onDialog()
    else if (action === 'take')
      void runAndLeave(
        () => homeCalls.takeQuestion(row.id, me.id),
        () => showToast({ kind: 'success', title: t('home.taken', { title }) }),
      )
    else void navigate(address)
  }
  const putOff = (time: PutOffTime) =>
    void runAndLeave(
      () => homeCalls.putOff(key, row.ref, time),
      () =>
        offerUndo({
          title: t(`home.putOff.done.${time}`),
          undoneTitle: t('home.putOff.undone'),
          undo: async () => {
            await homeCalls.putBackMutation(key, row.ref)
            await refresh()
          },
        }),
    )
  const putRowBack = () =>
    void runAndLeave(
      () => homeCalls.putBackMutation(key, row.ref),
      () => showToast({ kind: 'success', title: t('home.putOff.undone') }),
    )

  return (
    <li
      data-work={`${key} ${row.ref}`}
      data-current={isCurrent || undefined}
      className={cx(rowClass, isCurrent && currentClass, isLeaving && 'opacity-30')}
    >
      {isPerson ? (
        <span className={cx('max-md:hidden', rowSpanClass)}>
          <Avatar name={row.from?.name ?? ''} size="sm" />
        </span>
      ) : (
        <span
          className={cx(
            'grid size-7 place-items-center max-md:hidden',
            rowSpanClass,
            row.kind === 'flagged' ? 'text-warning-text' : 'text-muted',
          )}
        >
          {iconOf(group, row)}
        </span>
      )}
      <span className={cx('flex min-w-0 items-baseline gap-2', isOneLine && rowSpanClass)}>
        <Link
          {...address}
          id={id}
          data-part="open"
          lang={row.locale ?? undefined}
          className="line-clamp-3 min-h-6 md:line-clamp-2 min-w-0 leading-5 font-semibold wrap-anywhere hover:text-brand-text"
        >
          <bdi>{title}</bdi>
        </Link>
        {note ? <span className="min-w-0 shrink-[1000] truncate text-sm text-muted max-md:hidden">{note}</span> : null}
      </span>
      <span className="flex min-w-0 flex-wrap gap-x-1 text-sm leading-[18px] whitespace-nowrap text-muted max-md:col-start-1 md:max-[1359px]:col-start-2">
        {key === 'translations' ? (
          <LanguageCoverage availableLocales={row.languages} outdated={row.outdatedLanguages} />
        ) : (
          <>
            {location ? (
              <span className="flex min-w-0 gap-1">
                <span className="truncate">{location}</span>
                {person ? <span aria-hidden>·</span> : null}
              </span>
            ) : null}
            <span className="min-w-0 truncate">{person}</span>
          </>
        )}
      </span>
      <span
        className={cx(
          'flex items-center justify-end gap-1.5 text-sm whitespace-nowrap max-md:col-start-1 max-md:justify-start md:max-[1359px]:col-start-3',
          rowSpanClass,
          wait?.isLate ? 'font-medium text-danger-text' : 'text-muted',
        )}
      >
        {wait?.isLate ? <AlarmClock size={14} strokeWidth={2} aria-hidden className="shrink-0" /> : null}
        {wait?.isLate ? <span className="sr-only">{t('home.wait.late')}</span> : null}
        {wait?.text}
      </span>
      <span
        className={cx(
          'flex items-center justify-end gap-1 max-md:col-start-2 max-md:row-span-3 max-md:row-start-1 md:max-[1359px]:col-start-4',
          rowSpanClass,
        )}
      >
        {row.putOffUntil === null ? (
          <Menu
            trigger={
              <IconButton
                data-part="put-off"
                label={t('home.putOff.action')}
                icon={<Clock size={15} aria-hidden />}
                disabled={obstacle ?? false}
                className={cx('md:size-7!', !isCurrent && 'md:opacity-0 md:focus-visible:opacity-100')}
              />
            }
          >
            {({ Item }) =>
              putOffTimes.map((time) => (
                <Item key={time} onClick={() => putOff(time)}>
                  {t(`home.putOff.time.${time}`)}
                </Item>
              ))
            }
          </Menu>
        ) : null}
        <Button
          data-part="action"
          aria-describedby={id}
          kind={isCurrent ? 'primary' : 'plain'}
          disabled={(changesOwner || row.putOffUntil !== null) && obstacle ? obstacle : false}
          onClick={row.putOffUntil === null ? runAction : putRowBack}
          className={cx(
            'md:min-h-[30px] md:px-2.5',
            !isCurrent && 'md:border-transparent md:bg-transparent md:text-brand-text',
          )}
        >
          {row.putOffUntil === null ? t(`home.action.${action}`) : t('home.putOff.back')}
        </Button>
      </span>
    </li>
  )
}
