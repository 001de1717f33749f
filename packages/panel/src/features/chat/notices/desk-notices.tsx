/** Notifies of chat events wherever the user is in the panel: tab title, sound, browser notifications. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { type CurrentUser, meQuery } from '../../../api/session.ts'
import { useViewedRole } from '../../../api/use-obstacle.ts'
import { setTitleCount } from '../../../lib/document-title.ts'
import { useT } from '../../../lib/i18n.ts'
import { chatKeys } from '../chat-data.ts'
import { type DeskEvent, useDeskEvents } from './desk-events.ts'
import { isRinging, joinElection } from './one-tab.ts'
import { scheduleListReload } from '../rooms/rows.ts'
import {
  type InboxLine,
  isQuiet,
  type NoticeRecipient,
  newestOf,
  type Notice,
  noticeOf,
  ringingLines,
} from './rules.ts'
import { playRing } from './sound.ts'
import { useUnsentNotices } from './use-unsent-notices.ts'

/** Number of the user's own rooms with unread messages. */
const unreadQuery = {
  queryKey: chatKeys.unread,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { pagination } = await callRoute('GET /api/get_customized_rooms', {
      query: { filters: { assignee: 'me', unread: true }, pagination: { page: 1, pageSize: 1 } },
      signal,
    })
    return pagination.total
  },
  refetchInterval: 60_000,
  meta: { inPlace: true },
}

const listenerOf = ({ id, chat_notify, quiet_from, quiet_to }: CurrentUser): NoticeRecipient => ({
  id,
  choice: chat_notify ?? 'mine',
  quietFrom: quiet_from ?? null,
  quietTo: quiet_to ?? null,
})

/** The running service worker of the panel; undefined in development and where the browser has none. */
async function activeWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined)
  return registration?.active ? registration : undefined
}

export interface InboxUpdate extends InboxLine {
  getTitle: () => string
}

/**
 * Notifies the user of the desk.
 *
 * @param inbox - The user's inbox in their language; undefined until it is loaded.
 */
export function DeskNotices({ inbox }: { inbox: readonly InboxUpdate[] | undefined }) {
  const { data: me } = useQuery(meQuery)
  const viewedRole = useViewedRole()
  // A user who views as another role gets none of that role's notifications.
  return me && !viewedRole ? <Notices listener={listenerOf(me)} inbox={inbox} /> : null
}

function Notices({ listener, inbox }: { listener: NoticeRecipient; inbox: readonly InboxUpdate[] | undefined }) {
  const t = useT()
  const cache = useQueryClient()
  const router = useRouter()
  const { pathname } = useLocation()
  const { data: unreadCount = 0 } = useQuery(unreadQuery)
  useEffect(() => joinElection(), [])
  useUnsentNotices()
  useEffect(() => {
    setTitleCount(unreadCount)
    // The icon of the installed panel gets a badge with the number of unread rooms.
    if ('setAppBadge' in navigator) void navigator.setAppBadge(unreadCount).catch(() => undefined)
  }, [unreadCount])
  useEffect(() => () => setTitleCount(0), [])

  const showNotification = (address: string, title: string, body: string, seq?: number) => {
    const isSeen = document.visibilityState === 'visible' && document.hasFocus() && pathname === address
    if (isSeen || !isRinging() || isQuiet(listener, new Date())) return
    playRing()
    if (!('Notification' in window) || Notification.permission !== 'granted' || document.hasFocus()) return
    const options = { body: body.slice(0, 200), tag: address }
    const showOwnRooms = () => {
      const notification = new Notification(title, options)
      notification.addEventListener('click', () => {
        window.focus()
        notification.close()
        void router.navigate({ to: address, search: seq ? { at: seq } : {} })
      })
    }
    // The worker's notification and a pushed one about the same page have one tag, so they are shown once.
    const data = { address: seq ? `${address}?at=${seq}` : address }
    void activeWorker().then((worker) =>
      worker ? worker.showNotification(title, { ...options, data }) : showOwnRooms(),
    )
  }
  const showNotice = ({ type, room, seq, from, text }: Notice) => {
    const title = type === 'assigned' ? t('chat.notice.assigned') : from ? nameOfCard(from) : t('chat.internalNote')
    showNotification(`/app/chats/${room}`, title, from ? (text ?? t('chat.lastAttachment')) : '', seq)
  }
  const lastSeenId = useRef<number>(undefined)
  const handleInbox = useEffectEvent((lines: readonly InboxUpdate[]) => {
    // Inbox lines that existed when the page loaded cause no notification.
    const newNotices = lastSeenId.current === undefined ? [] : ringingLines(lines, lastSeenId.current, listener)
    lastSeenId.current = Math.max(lastSeenId.current ?? 0, newestOf(lines))
    for (const { address, getTitle } of newNotices) showNotification(`/app${address ?? '/chats'}`, getTitle(), '')
  })
  useEffect(() => {
    if (inbox) handleInbox(inbox)
  }, [inbox])
  useDeskEvents((event: DeskEvent) => {
    scheduleListReload(cache)
    const notice = noticeOf(event, listener)
    if (notice) showNotice(notice)
  })
  return null
}
