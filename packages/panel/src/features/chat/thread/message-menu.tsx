/** Actions of a message: reply, copy, show in the other script, edit for a while, remove, mark as unread. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import CaseSensitive from 'lucide-react/icons/case-sensitive'
import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import MailOpen from 'lucide-react/icons/mail-open'
import Pencil from 'lucide-react/icons/pencil'
import Reply from 'lucide-react/icons/reply'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { formatTime } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import type { ScriptView } from '../../../resource/script/use-other-script.ts'
import { DeleteDialog } from '../../../ui/overlays/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, type MenuParts } from '../../../ui/overlays/menu.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import type { Message } from '../chat-data.ts'
import type { Reader } from '../reader.ts'
import { scheduleListReload, setUnread } from '../rooms/rows.ts'
import { mayEdit, mayRemove } from '../room-permissions.ts'
import { isFocusFree } from './focus.ts'
import { roomStoresOf } from '../live/use-room-log.ts'

export interface MessageMenuProps {
  message: Message
  reader: Reader
  room: number
  now: Date
  /** Whether the menu's button is reached through its message, or is a tab stop itself. */
  isReached: boolean
  onEdit: () => void
  /** Callback that starts a reply; absent when the user may not write here. */
  onReply: (() => void) | undefined
  /** Whether messages that the user reads in this thread count as read. */
  mayMark: boolean
  /** The text of the message in its other script. */
  script: ScriptView
}

export function MessageMenu({
  message,
  reader,
  room,
  now,
  isReached,
  onEdit,
  onReply,
  mayMark,
  script,
}: MessageMenuProps) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const remove = useMutation({
    meta: { inPlace: true },
    mutationFn: () => callRoute('DELETE /api/chatmessages/:id', { params: { id: message.id } }),
    onSuccess: () => {
      showToast({ kind: 'success', title: t('chat.deleted') })
      // The pressed button of the menu disappears: the focus moves to the thread, unless the user is writing
      // by now.
      if (isFocusFree() || document.activeElement?.closest('[role="dialog"], [role="alertdialog"]'))
        document.querySelector<HTMLElement>('[role="log"]')?.focus()
      roomStoresOf(cache).get(room)?.check(false)
      scheduleListReload(cache)
    },
  })
  const markUnread = useMutation({
    mutationFn: () =>
      callRoute('POST /api/chatrooms/:id/unread', { params: { id: room }, body: { data: { from: message.seq } } }),
    onSuccess: ({ data }) => {
      setUnread(cache, room, data.unread_message)
      scheduleListReload(cache)
      showToast({ kind: 'success', title: t('chat.markedUnread') })
    },
  })
  const copy = async () => {
    await navigator.clipboard.writeText(message.text ?? '')
    showToast({ kind: 'success', title: t('message.copied') })
  }
  const isMarkable = mayMark && message.sender.id !== reader.id && message.kind === 'message'
  return (
    <span className="shrink-0 transition-opacity duration-(--dur-1) group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0 has-data-popup-open:opacity-100">
      <Menu
        trigger={
          <IconButton
            label={t('chat.messageActions', { time: formatTime(message.createdAt) })}
            icon={<Ellipsis size={17} aria-hidden />}
            tabIndex={isReached ? 0 : -1}
          />
        }
      >
        {({ Item }) => (
          <>
            {onReply ? (
              <Item icon={<Reply size={16} aria-hidden className="mirrored" />} onClick={onReply}>
                {t('action.reply')}
              </Item>
            ) : null}
            {message.text === null ? null : (
              <Item icon={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
                {t('action.copy')}
              </Item>
            )}
            <ScriptItem Item={Item} script={script} />
            {isMarkable ? (
              <Item
                icon={<MailOpen size={16} aria-hidden />}
                disabled={obstacle ?? false}
                onClick={() => markUnread.mutate()}
              >
                {t('chat.markUnread')}
              </Item>
            ) : null}
            {mayEdit(message, reader, now) ? (
              <Item icon={<Pencil size={16} aria-hidden />} onClick={onEdit}>
                {t('chat.editMessage')}
              </Item>
            ) : null}
            {mayRemove(message, reader) ? (
              <Item isDangerous icon={<Trash2 size={16} aria-hidden />} onClick={() => setDialogOpen(true)}>
                {t('chat.deleteMessage')}
              </Item>
            ) : null}
          </>
        )}
      </Menu>
      <DeleteDialog
        open={isDialogOpen}
        onOpenChange={(isOpen) => {
          setDialogOpen(isOpen)
          if (!isOpen) remove.reset()
        }}
        target={<q className="wrap-anywhere">{(message.text ?? t('chat.lastAttachment')).slice(0, 140)}</q>}
        isBusy={remove.isPending}
        disabled={obstacle ?? false}
        failure={remove.error ? messageOfFailure(remove.error) : undefined}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setDialogOpen(false) })}
      />
    </span>
  )
}

/** Item of the menu that shows the message in its other script, or as it was written. */
function ScriptItem({ Item, script }: { Item: MenuParts['Item']; script: ScriptView }) {
  const t = useT()
  const other = script.converted ?? script.find()
  if (!other) return null
  return (
    <Item icon={<CaseSensitive size={16} aria-hidden />} onClick={script.toggle}>
      {t(script.converted ? 'script.showWritten' : `script.show.${other.script}`)}
    </Item>
  )
}
