/** One message: sender and time above a run, quote, text and files, state, and its actions. */
import { type QuotedMessage, writtenLocale } from '@dala/model'
import Check from 'lucide-react/icons/check'
import CheckCheck from 'lucide-react/icons/check-check'
import Lock from 'lucide-react/icons/lock'
import { useRef, useState } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatDateTime, formatTime } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOtherScript } from '../../../resource/script/use-other-script.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { isPicture, type Message, type OpenRoom } from '../chat-data.ts'
import { type Marks, type DeliveryProgress, progressOf } from '../core/read-marks.ts'
import type { OutgoingMessage } from '../core/queue.ts'
import { messageEdit } from './message-edits.ts'
import { MessageEditor } from './message-editor.tsx'
import { MessageMenu } from './message-menu.tsx'
import { MessageDocuments } from './message-documents.tsx'
import { MessagePictures } from './message-pictures.tsx'
import { OutgoingState } from '../outbox/outgoing-state.tsx'
import type { Reader } from '../reader.ts'
import type { ShownMessage } from './shown-message.ts'
import { isFocusFree } from './focus.ts'

const progressLabels = { sent: 'chat.sentState', delivered: 'chat.delivered', seen: 'chat.seen' } as const

interface MessageMarksProps {
  isEdited: boolean
  /** Progress of the message; undefined where the user may not see it. */
  progress: DeliveryProgress | undefined
}

/** Marks beside a message: whether it was edited, and how far the other side has received it. */
function MessageMarks({ isEdited, progress }: MessageMarksProps) {
  const t = useT()
  if (!isEdited && !progress) return null
  const Icon = progress === 'sent' ? Check : CheckCheck
  return (
    <span className="flex shrink-0 items-center gap-1.5 pb-0.5 text-xs text-muted">
      {isEdited ? t('chat.edited') : null}
      {progress ? (
        <span data-tip={t(progressLabels[progress])}>
          <Icon size={15} aria-hidden className={cx(progress === 'seen' && 'text-brand-text')} />
          <span className="sr-only">{t(progressLabels[progress])}</span>
        </span>
      ) : null}
    </span>
  )
}

interface MessageQuoteProps {
  quoted: QuotedMessage
  onJump: (seq: number) => void
}

/** The quoted message above the text; a press scrolls the thread to it. */
function MessageQuote({ quoted, onJump }: MessageQuoteProps) {
  const t = useT()
  const quoteClass = 'mb-1.5 block w-full min-w-0 border-s-2 border-brand-ui ps-2.5 text-start text-sm'
  if ('deleted' in quoted) return <p className={`${quoteClass} text-muted italic`}>{t('chat.removed')}</p>
  const name = nameOfCard(quoted.sender)
  return (
    <button type="button" className={`${quoteClass} cursor-pointer`} onClick={() => onJump(quoted.seq)}>
      <span className="sr-only">{t('chat.quoteOf', { name })}</span>
      <b aria-hidden className="block truncate">
        <bdi>{name}</bdi>
      </b>
      <span className="line-clamp-2 text-muted wrap-anywhere" dir="auto">
        {quoted.text ?? t('chat.lastAttachment')}
      </span>
    </button>
  )
}

export interface MessageItemProps {
  message: ShownMessage
  isHeaded: boolean
  /** Position of the message in the room and the number of messages: -1 while unknown. */
  position: number
  setSize: number
  room: OpenRoom
  reader: Reader
  rev: number
  marks: Marks
  now: Date
  /** Key of the message that is the tab stop of the thread. */
  activeMessage: string | undefined
  /** Key of the message that the thread has jumped to. */
  found: number | string | undefined
  mayMark: boolean
  onJump: (seq: number) => void
  onReply: ((message: Message) => void) | undefined
  getRetry: (unsentMessage: OutgoingMessage) => (() => void) | undefined
}

export function MessageItem(props: MessageItemProps) {
  const {
    message,
    isHeaded,
    position,
    setSize,
    room,
    reader,
    rev,
    marks,
    now,
    activeMessage: activeKey,
    found,
    mayMark,
  } = props
  const { onJump, onReply, getRetry } = props
  const t = useT()
  const {
    id,
    sender,
    text,
    kind,
    attachments,
    createdAt,
    outgoingMessage: unsentMessage,
    stored,
    quoted,
    seq,
  } = message
  // The editor of a started edit reopens when its message scrolls back into view.
  const [editorState, setEditing] = useState<'no' | 'begun' | 'again'>(() =>
    stored && sender.id === reader.id && messageEdit(reader.id, stored.id).read() ? 'again' : 'no',
  )
  const article = useRef<HTMLElement>(null)
  const script = useOtherScript(`message/${id}`, text, room.language)
  if (kind === 'system') return <p className="py-1.5 ps-12 text-sm text-muted">{text}</p>

  const isGrower = sender.id === room.sender.id
  const isOwn = sender.id === reader.id
  // Customers see the progress of their own messages, the desk that of all messages of the desk.
  const isOurs = reader.id === room.sender.id ? isOwn : !isGrower
  const isNote = kind === 'note'
  const name = isOwn ? t('chat.you') : nameOfCard(sender)
  const progress =
    seq !== undefined && !isNote && isOurs
      ? progressOf({ seen: message.seen, seq, sender }, marks, room.sender.id)
      : undefined
  return (
    <article
      ref={article}
      data-message={id}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-label={`${name}, ${formatTime(createdAt)}`}
      tabIndex={-1}
      className={cx(
        'group grid grid-cols-[36px_minmax(0,1fr)] gap-x-3 rounded-2 -outline-offset-2',
        isHeaded ? 'pt-3.5' : 'pt-1',
        found === id && 'bg-sunken',
      )}
    >
      {isHeaded ? <Avatar name={nameOfCard(sender)} src={fileAddress(sender.avatar?.url)} /> : <span />}
      <div className="min-w-0">
        {isHeaded ? (
          <p className="mb-1 flex flex-wrap items-baseline gap-x-2 text-sm">
            <b>
              <bdi>{name}</bdi>
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
        {editorState !== 'no' && stored ? (
          <MessageEditor
            id={stored.id}
            room={room.id}
            user={reader.id}
            text={text ?? ''}
            rev={rev}
            takesFocus={editorState === 'begun'}
            onDone={() => {
              setEditing('no')
              // The editing field disappears after the edit: the focus moves to its message, unless the user
              // has moved it elsewhere.
              if (isFocusFree() || article.current?.contains(document.activeElement))
                article.current?.focus({ preventScroll: true })
            }}
          />
        ) : (
          <div className="flex items-end gap-2">
            <div
              className={cx(
                'max-w-[68ch] min-w-0 rounded-2 border px-3.5 py-2',
                isNote && 'border-transparent bg-warning-soft text-warning-text',
                !isNote && (isGrower ? 'border-line bg-surface' : 'border-transparent bg-brand-soft'),
              )}
            >
              {quoted ? <MessageQuote quoted={quoted} onJump={onJump} /> : null}
              {text === null ? null : (
                <p
                  dir="auto"
                  lang={
                    script.converted
                      ? writtenLocale(script.converted.locale, script.converted.script)
                      : (room.language ?? undefined)
                  }
                  className="leading-read wrap-anywhere whitespace-pre-wrap"
                >
                  {script.converted?.text ?? text}
                </p>
              )}
              {script.converted ? (
                <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
                  {t(`script.shown.${script.converted.script}`)}
                  <LinkButton
                    className="text-sm"
                    tabIndex={activeKey === String(id) ? 0 : -1}
                    onClick={() => {
                      script.toggle()
                      // The pressed button disappears, so the focus moves to its message.
                      article.current?.focus({ preventScroll: true })
                    }}
                  >
                    {t('script.showWritten')}
                  </LinkButton>
                </p>
              ) : null}
              <MessagePictures attachments={attachments.filter(isPicture)} />
              <MessageDocuments documents={attachments.filter((attachment) => !isPicture(attachment))} />
            </div>
            {stored ? (
              <>
                <MessageMarks isEdited={message.edited_at !== null} progress={progress} />
                <MessageMenu
                  message={stored}
                  reader={reader}
                  now={now}
                  room={room.id}
                  isReached={activeKey === String(id)}
                  mayMark={mayMark}
                  script={script}
                  onEdit={() => setEditing('begun')}
                  onReply={onReply && (() => onReply(stored))}
                />
              </>
            ) : null}
          </div>
        )}
        {unsentMessage ? <OutgoingState outgoingMessage={unsentMessage} onRetry={getRetry(unsentMessage)} /> : null}
      </div>
    </article>
  )
}
