/** The notices of the inbox, each with its age and address; an opened notice is read. */
import type { InboxNotice } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatRelative } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { parseSearch } from '../../search.ts'
import { noticesQuery, readNotices, noticeText } from './notices.ts'

const rowClass =
  'flex w-full items-start gap-3 rounded-1 px-2 py-2 text-start hover:bg-hover max-md:min-h-11 disabled:hover:bg-transparent'

export function NoticeList({ onGo }: { onGo: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery(noticesQuery)
  const readMutation = useMutation({
    mutationFn: readNotices,
    onSettled: () => cache.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  })
  if (!data && isError)
    return (
      <div className="grid justify-items-start gap-3 pb-1">
        <p className="text-muted">{t('inbox.failed')}</p>
        <Button onClick={() => void refetch()}>{t('action.retry')}</Button>
      </div>
    )
  if (!data)
    return (
      <DelayedContent>
        <Skeleton className="h-24 w-full" />
      </DelayedContent>
    )
  if (data.data.length === 0)
    return (
      <div className="pb-2">
        <p className="font-semibold">{t('empty.noNotifications')}</p>
        <p className="mt-1 text-sm text-muted">{t('inbox.empty')}</p>
        <SettingsLink onGo={onGo} />
      </div>
    )
  return (
    <div className="-mt-2 grid gap-2">
      {data.meta.unread > 0 ? (
        <p className="px-2">
          <LinkButton onClick={() => readMutation.mutate({ all: true })}>{t('inbox.readAll')}</LinkButton>
        </p>
      ) : null}
      <ul className="-mx-1 grid gap-0.5">
        {data.data.map((notice) => (
          <li key={notice.id}>
            <NoticeFrame
              notice={notice}
              onRead={() => {
                if (notice.readAt === null) readMutation.mutate({ ids: [notice.id] })
                if (notice.address !== null) onGo()
              }}
            />
          </li>
        ))}
      </ul>
      <SettingsLink onGo={onGo} />
    </div>
  )
}

function SettingsLink({ onGo }: { onGo: () => void }) {
  const t = useT()
  return (
    <Link
      to="/app/profile/notifications"
      onClick={onGo}
      className="inline-flex min-h-8 items-center justify-self-start px-2 text-sm text-brand-text hover:underline max-md:min-h-11"
    >
      {t('nav.noticeSettings')}
    </Link>
  )
}

/** A link for a notice with an address; else a button that marks it as read. */
function NoticeFrame({ notice, onRead }: { notice: InboxNotice; onRead: () => void }) {
  const { address, readAt } = notice
  const content: ReactNode = <NoticeText notice={notice} />
  if (address === null)
    return (
      <button type="button" disabled={readAt !== null} onClick={onRead} className={rowClass}>
        {content}
      </button>
    )
  const [path = '', query = ''] = address.replace(/^\/app(?=\/|$)/, '').split('?')
  return (
    <Link to={`/app${path}`} search={parseSearch(query)} onClick={onRead} className={rowClass}>
      {content}
    </Link>
  )
}

function NoticeText({ notice }: { notice: InboxNotice }) {
  const t = useT()
  const locale = useLocale()
  const isNew = notice.readAt === null
  return (
    <>
      <i
        aria-hidden
        className={cx('mt-2 size-2 shrink-0 rounded-full', isNew ? 'bg-brand-ui' : 'border border-line-strong')}
      />
      <span className="min-w-0 flex-1">
        {isNew ? <span className="sr-only">{t('inbox.new')} </span> : null}
        <span className={cx('block wrap-anywhere', isNew && 'font-semibold')}>{noticeText(t, locale, notice)}</span>
        <time className="text-sm text-muted">{formatRelative(t, notice.createdAt)}</time>
      </span>
    </>
  )
}
