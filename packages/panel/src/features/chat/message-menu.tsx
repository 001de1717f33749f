/** What can be done with a message: change it for a while, take it out of view. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { formatTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { DeleteDialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.ts'
import { chatKeys } from './chat-data.ts'
import type { Reader } from './reader.ts'
import type { ShownMessage } from './shown-message.ts'
import { mayEdit, mayRemove } from './standing.ts'

export interface MessageMenuProps {
  message: ShownMessage
  reader: Reader
  room: number
  now: Date
  onEdit: () => void
}

export function MessageMenu({ message, reader, room, now, onEdit }: MessageMenuProps) {
  const t = useT()
  const cache = useQueryClient()
  const [asked, setAsked] = useState(false)
  const remove = useMutation({
    meta: { inPlace: true },
    mutationFn: () => call('DELETE', `/chatmessages/${message.id}`),
    onSuccess: async () => {
      showToast({ kind: 'success', title: t('chat.deleted') })
      // The button that asked goes with the message; the thread stays where the reader is.
      document.querySelector<HTMLElement>('[role="log"]')?.focus()
      await cache.invalidateQueries({ queryKey: chatKeys.thread(room) })
      void cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] })
    },
  })
  const [editable, removable] = [mayEdit(message, reader, now), mayRemove(message, reader)]
  if (!editable && !removable) return null
  return (
    <span className="shrink-0 transition-opacity duration-(--dur-1) group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0 has-data-popup-open:opacity-100">
      <Menu
        trigger={
          <IconButton
            label={t('chat.messageActions', { time: formatTime(message.createdAt) })}
            icon={<Ellipsis size={17} aria-hidden />}
          />
        }
      >
        {({ Item }) => (
          <>
            {editable ? (
              <Item icon={<Pencil size={16} aria-hidden />} onClick={onEdit}>
                {t('chat.editMessage')}
              </Item>
            ) : null}
            {removable ? (
              <Item danger icon={<Trash2 size={16} aria-hidden />} onClick={() => setAsked(true)}>
                {t('chat.deleteMessage')}
              </Item>
            ) : null}
          </>
        )}
      </Menu>
      <DeleteDialog
        open={asked}
        onOpenChange={(open) => {
          setAsked(open)
          if (!open) remove.reset()
        }}
        what={<q className="wrap-anywhere">{(message.text ?? t('chat.photo')).slice(0, 140)}</q>}
        busy={remove.isPending}
        failure={remove.error ? wordsOfFailure(remove.error) : undefined}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setAsked(false) })}
      />
    </span>
  )
}
