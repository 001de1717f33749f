/** The list of recent changes on the home page: time, user, change, and a link to the record. */
import { type HomeChange, rankOfRole } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { callerRoleOf, type CurrentUser } from '../../api/session.ts'
import { formatTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { changeAddress, changeKind, changeTitle, changeText, dayLabel } from './home-text.ts'

interface ChangesSheetProps {
  changes: readonly HomeChange[]
  me: CurrentUser
  now: Date
}

export function ChangesSheet({ changes, me, now }: ChangesSheetProps) {
  const t = useT()
  const id = useId()
  const days = new Map<string, HomeChange[]>()
  for (const change of changes) {
    const day = dayLabel(t, change.at, now)
    days.set(day, [...(days.get(day) ?? []), change])
  }
  return (
    <Sheet aria-labelledby={id}>
      <div className="flex items-baseline justify-between gap-2 px-4 pt-3 pb-2">
        <h2 id={id} className="font-semibold">
          {t('home.changes')}
        </h2>
        {rankOfRole(callerRoleOf(me).role) >= rankOfRole('admin') ? (
          <Link
            to="/app/audit"
            className="inline-flex min-h-6 items-center text-sm font-semibold text-brand-text hover:underline max-md:min-h-11"
          >
            {t('home.changes.all')}
          </Link>
        ) : null}
      </div>
      {changes.length === 0 ? <p className="px-4 pb-3.5 text-sm text-muted">{t('home.changes.none')}</p> : null}
      {[...days].map(([day, events]) => (
        <section key={day} className="px-4 pb-1.5 text-sm">
          <h3 className="border-t border-line pt-1.5 pb-px text-xs font-semibold text-muted">{day}</h3>
          <ol>
            {events.map((change) => (
              <li key={change.id} className="grid grid-cols-[42px_minmax(0,1fr)] gap-2 py-[5px]">
                <time dateTime={change.at} className="text-muted tabular-nums">
                  {formatTime(change.at)}
                </time>
                <ChangeLine change={change} me={me} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </Sheet>
  )
}

function ChangeLine({ change, me }: { change: HomeChange; me: CurrentUser }) {
  const t = useT()
  const { by, record } = change
  const address = changeAddress(change)
  const title = changeTitle(change)
  const name = by === null ? t('home.changes.program') : by.id === me.id ? t('home.changes.you') : by.name
  return (
    <div className="min-w-0">
      <p className="wrap-anywhere">
        <bdi className="font-semibold">{name}</bdi> {changeText(t, change)}{' '}
        {title && address ? (
          <Link
            {...address}
            lang={record?.locale ?? undefined}
            className="text-brand-text underline decoration-line-strong underline-offset-[3px] hover:decoration-current"
          >
            <bdi>{title}</bdi>
          </Link>
        ) : null}
      </p>
      <p className="text-xs text-muted">{changeKind(change)}</p>
    </div>
  )
}
