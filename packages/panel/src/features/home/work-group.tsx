/** One group of work: name, count and details, a link to all of it, and its rows. */
import type { HomeGroup, HomeGroupKey, HomeRow } from '@dala/model'
import { Link } from '@tanstack/react-router'
import FileClock from 'lucide-react/icons/file-clock'
import FileQuestionMark from 'lucide-react/icons/file-question-mark'
import Hand from 'lucide-react/icons/hand'
import Languages from 'lucide-react/icons/languages'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Store from 'lucide-react/icons/store'
import Wheat from 'lucide-react/icons/wheat'
import { useId } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { addressOf } from './home-data.ts'
import { groupSummary } from './home-text.ts'
import { WorkRow } from './work-row.tsx'

const icons: Readonly<Record<HomeGroupKey, typeof Wheat>> = {
  chats: MessagesSquare,
  overdue: FileQuestionMark,
  prices: Wheat,
  posts: Store,
  translations: Languages,
  ownChats: MessagesSquare,
  free: Hand,
  ownConsultations: FileClock,
}

interface WorkGroupProps {
  group: HomeGroup
  me: CurrentUser
  now: Date
  /** Name of the row on the home page whose action has the filled button. */
  current: string | undefined
  onDialog: (row: HomeRow) => void
  refreshHome: () => Promise<void>
}

export function WorkGroup({ group, me, now, current, onDialog, refreshHome: refresh }: WorkGroupProps) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const { key, count, failed, rows, all } = group
  const Icon = icons[key]
  const countText = formatNumber(locale, count)
  return (
    <section aria-labelledby={id}>
      <div className="flex min-h-[34px] flex-wrap items-baseline gap-x-2 border-b border-line bg-sunken px-4 py-1 max-md:px-3.5 max-md:py-2 md:pe-6">
        <Icon size={16} strokeWidth={1.8} aria-hidden className="self-center text-muted md:ms-1.5 md:me-3.5" />
        <h2 id={id} className="text-sm font-semibold">
          {t(`home.group.${key}`)}
          {failed ? null : <span className="ms-2 text-lg leading-none font-light">{countText}</span>}
        </h2>
        <p className="min-w-0 flex-1 truncate text-sm text-muted max-md:order-last max-md:basis-full max-md:whitespace-normal md:ms-1">
          {failed ? '' : groupSummary(t, locale, group, now)}
        </p>
        {failed ? null : (
          <Link
            {...addressOf(all)}
            className="inline-flex min-h-6 items-center text-sm font-semibold text-brand-text hover:underline max-md:ms-auto max-md:min-h-11 max-md:-my-2"
          >
            {key === 'prices' ? t('home.action.openDay') : t('home.all', { shown: countText })}
          </Link>
        )}
      </div>
      {failed ? (
        <div
          role="alert"
          className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-1.5 md:ps-[60px] md:pe-3"
        >
          <span className="text-danger-text">{t('home.groupFailed')}</span>
          <Button onClick={() => void refresh()}>{t('action.retry')}</Button>
        </div>
      ) : rows.length === 0 ? (
        <p className="border-b border-line px-4 py-2.5 text-sm text-muted md:ps-[60px]">{t('home.allPutOff')}</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <WorkRow
              key={row.ref}
              group={group}
              row={row}
              me={me}
              now={now}
              isCurrent={current === `${key} ${row.ref}`}
              onDialog={() => onDialog(row)}
              refreshHome={refresh}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
