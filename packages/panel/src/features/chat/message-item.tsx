/** One message: who and when above a run of them, the text and its pictures, its state, and what can be done with it. */
import { nameOfCard } from '../../api/error-toasts.ts'
import Check from 'lucide-react/icons/check'
import CheckCheck from 'lucide-react/icons/check-check'
import Lock from 'lucide-react/icons/lock'
import { useState } from 'react'
import { fileAddress } from '../../api/client.ts'
import { galleryPictureOf } from '../../fields/picture.ts'
import { cx } from '../../lib/class-names.ts'
import { formatDateTime, formatTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { GalleryButton } from '../../ui/gallery.tsx'
import type { Attachment, OpenRoom } from './chat-data.ts'
import type { Reader } from './reader.ts'
import type { Turn } from './message-groups.ts'
import { MessageEditor } from './message-editor.tsx'
import { MessageMenu } from './message-menu.tsx'
import type { Outgoing } from './outbox.ts'
import type { ShownMessage } from './shown-message.ts'
import { OutgoingState } from './outgoing-state.tsx'

export interface MessageItemProps {
  turn: Turn<ShownMessage>
  room: OpenRoom
  reader: Reader
  rev: number
  now: Date
  outbox: string
  onRetry: ((outgoing: Outgoing) => void) | undefined
}

export function MessageItem({
  turn: { message, isHeaded },
  room,
  reader,
  rev,
  now,
  outbox,
  onRetry,
}: MessageItemProps) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { id, sender, text, kind, attachments, createdAt, outgoing } = message
  if (kind === 'system') return <p className="py-1.5 ps-12 text-sm text-muted">{text}</p>
  const isGrower = sender.id === room.sender.id
  const isNote = kind === 'note'
  const name = nameOfCard(sender)
  return (
    <div className={cx('group grid grid-cols-[36px_minmax(0,1fr)] gap-x-3', isHeaded ? 'pt-3.5' : 'pt-1')}>
      {isHeaded ? <Avatar name={name} src={fileAddress(sender.avatar?.url)} /> : <span />}
      <div className="min-w-0">
        {isHeaded ? (
          <p className="mb-1 flex flex-wrap items-baseline gap-x-2 text-sm">
            <b>
              <bdi>{sender.id === reader.id ? t('chat.you') : name}</bdi>
            </b>
            <time dateTime={createdAt} title={formatDateTime(createdAt)} className="text-muted tabular-nums">
              {formatTime(createdAt)}
            </time>
          </p>
        ) : null}
        {isNote && isHeaded ? (
          <p className="mb-1 flex items-center gap-1.5 text-sm font-medium text-warning-text">
            <Lock size={14} aria-hidden />
            {t('chat.internalNote')}: {t('chat.staffOnly')}
          </p>
        ) : null}
        {editing && typeof id === 'number' ? (
          <MessageEditor id={id} room={room.id} text={text ?? ''} rev={rev} onDone={() => setEditing(false)} />
        ) : (
          <div className="flex items-end gap-2">
            <div
              className={cx(
                'max-w-[68ch] min-w-0 rounded-2 border px-3.5 py-2',
                isNote && 'border-transparent bg-warning-soft text-warning-text',
                !isNote && (isGrower ? 'border-line bg-surface' : 'border-transparent bg-brand-soft'),
              )}
            >
              {text === null ? null : (
                <p
                  dir="auto"
                  lang={room.language ?? undefined}
                  className="leading-read wrap-anywhere whitespace-pre-wrap"
                >
                  {text}
                </p>
              )}
              <Pictures attachments={attachments} />
            </div>
            {outgoing ? null : (
              <>
                <Marks message={message} withSeen={!isGrower || sender.id === reader.id} />
                <MessageMenu
                  message={message}
                  reader={reader}
                  now={now}
                  room={room.id}
                  onEdit={() => setEditing(true)}
                />
              </>
            )}
          </div>
        )}
        {outgoing ? (
          <OutgoingState outgoing={outgoing} outbox={outbox} room={room.id} user={reader.id} onRetry={onRetry} />
        ) : null}
      </div>
    </div>
  )
}

function Marks({ message: { seen, edited_at }, withSeen }: { message: ShownMessage; withSeen: boolean }) {
  const t = useT()
  const words = t(seen ? 'chat.seen' : 'chat.sentState')
  const Icon = seen ? CheckCheck : Check
  return (
    <span className="flex shrink-0 items-center gap-1.5 pb-0.5 text-xs text-muted">
      {edited_at ? t('chat.edited') : null}
      {withSeen ? (
        <span title={words}>
          <Icon size={15} aria-hidden className={cx(seen && 'text-brand-text')} />
          <span className="sr-only">{words}</span>
        </span>
      ) : null}
    </span>
  )
}

function Pictures({ attachments }: { attachments: readonly Attachment[] }) {
  const t = useT()
  if (attachments.length === 0) return null
  const pictures = attachments.flatMap(
    ({ url, name }) => galleryPictureOf({ url }, t('a11y.imageAlt', { name: name ?? t('chat.photo') })) ?? [],
  )
  return (
    <ul className="flex flex-wrap gap-2 py-1">
      {pictures.map(({ src, alt }, index) => (
        <li key={src}>
          <GalleryButton pictures={pictures} index={index} className="rounded-1">
            <img src={src} alt={alt} loading="lazy" className="size-32 rounded-1 bg-sunken object-cover" />
          </GalleryButton>
        </li>
      ))}
    </ul>
  )
}
