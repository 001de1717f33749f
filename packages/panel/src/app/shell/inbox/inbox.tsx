/** The inbox of the top bar: the number of unread notices and their list. */
import { useQuery } from '@tanstack/react-query'
import Bell from 'lucide-react/icons/bell'
import { Suspense } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyFeature, preload } from '../../../ui/lazy-part.ts'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { noticesQuery } from './notices.ts'

const loadNoticeList = async () => (await import('./notice-list.tsx')).NoticeList
const NoticeList = lazyFeature(loadNoticeList)

export function InboxButton() {
  const t = useT()
  const locale = useLocale()
  const { data } = useQuery(noticesQuery)
  const unreadCount = data?.meta.unread ?? 0
  return (
    <Popover
      title={t('nav.notifications')}
      onWanted={() => preload(loadNoticeList)}
      trigger={
        <IconButton
          data-tour="inbox"
          label={unreadCount > 0 ? t('nav.notificationsUnread', { count: unreadCount }) : t('nav.notifications')}
          icon={
            <span className="relative">
              <Bell size={19} aria-hidden />
              {unreadCount > 0 ? (
                <span
                  aria-hidden
                  className="absolute -end-2 -top-2 min-w-[18px] rounded-full bg-brand px-1 text-center text-2xs leading-[18px] font-semibold text-on-brand"
                >
                  {unreadCount > 99 ? '99+' : formatNumber(locale, unreadCount)}
                </span>
              ) : null}
            </span>
          }
        />
      }
    >
      {(closeInbox) => (
        <Suspense fallback={<Skeleton className="h-24 w-full" />}>
          <NoticeList onGo={closeInbox} />
        </Suspense>
      )}
    </Popover>
  )
}
