/** The composer: Enter sends, Shift+Enter breaks the line; the draft is stored until it is sent. */
import { maxMessageText, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { meQuery, nameOfUser } from '../../../api/session.ts'
import { useObstacle, useViewedRole } from '../../../api/use-obstacle.ts'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { cx } from '../../../lib/class-names.ts'
import { formatDate, formatList } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { isPressed, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { entryInLanguage } from '../../../resource/entry-languages.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { FieldError } from '../../../ui/inputs/field.tsx'
import { CannedList } from '../canned/list.tsx'
import { OpenVariables } from '../../../fields/canned/open-variables.tsx'
import type { OpenVariable } from '../../../fields/canned/text.ts'
import type { OpenRoom } from '../chat-data.ts'
import { ComposerAttachments } from './attachments.tsx'
import { ComposerField } from './field.tsx'
import { KindChoice, NoteLabel, ReplyLine } from './parts.tsx'
import type { WrittenKind } from './drafts.ts'
import { useCanned } from '../canned/use-canned.ts'
import { useComposer } from './use-composer.ts'
import { useReplyTarget } from './use-reply-target.ts'
import type { NewMessage } from './use-send-message.ts'
import { useCatchingUp } from '../live/use-room-log.ts'
import { useTyping } from './use-typing.ts'

/**
 * Line with the names of the people who are typing in the room; it has a fixed height to avoid layout shifts.
 */
function TypingLine({ room, typists }: { room: OpenRoom; typists: readonly number[] }) {
  const t = useT()
  const participants = [room.sender, room.receiver, room.assignee].filter((person) => person !== null)
  const names = typists.map((id) => {
    const person = participants.find((person) => person.id === id)
    return person ? nameOfCard(person) : t('chat.colleague')
  })
  return (
    <output className="-mt-1.5 block truncate text-xs text-muted empty:hidden">
      {names.length > 0 ? t('chat.typing', { name: formatList(t, [...new Set(names)]) }) : null}
    </output>
  )
}

export interface ComposerProps {
  room: OpenRoom
  user: number
  /** Whether the user is the customer of the room. */
  isAsker: boolean
  /** Whether the user has just chosen the room in order to write. */
  isChosen: boolean
  /** Whether the user may write notes for the desk, although not to the other side. */
  notesOnly: boolean
  onSend: (message: NewMessage) => void
}

export function Composer({ room, user, isAsker, isChosen, notesOnly, onSend }: ComposerProps) {
  const t = useT()
  const locale = useLocale()
  const now = useNow()
  const obstacle = useObstacle()
  // Without a connection a message is queued; while viewing as another role nothing is sent.
  const viewedRole = useViewedRole()
  const onPhone = useMedia(phoneQuery)
  const field = useRef<HTMLTextAreaElement>(null)
  const stateId = useId()
  const reply = useReplyTarget(room.id)
  const typingState = useTyping(room.id)
  const { data: me } = useQuery(meQuery)
  const titleOfRegion = useTitleOf(resources.regions)
  const composer = useComposer(user, room.id, notesOnly)
  const { kind, text, attachments, set, setKind, files, charactersLeft, open } = composer
  const isCatchingUp = useCatchingUp(room.id)
  const blockedReason = composer.blockedReason || (isCatchingUp ?? false)
  // Enter pressed too early shows the reason why the message cannot be sent.
  const [isTooSoon, setTooSoon] = useState(false)
  if (isTooSoon && isCatchingUp === undefined) setTooSoon(false)
  const { target } = reply
  const isNote = kind === 'note'
  const hasChoice = !isAsker && !notesOnly
  const cannedReplies = useCanned({
    field,
    text,
    onText: (newText) => set({ text: newText }),
    language: room.language ?? locale,
    variablesIn: (language) => ({
      customer_name: nameOfCard(room.sender),
      consultant_name: me && nameOfUser(me),
      region: room.region ? titleOfRegion(entryInLanguage(room.region, language)) : undefined,
      date: formatDate(now),
    }),
    isDisabled: isAsker,
  })

  useEffect(() => {
    // Wait until the page has set the focus; on a phone the keyboard would cover the messages.
    if (!isChosen || onPhone) return
    const frame = requestAnimationFrame(() => field.current?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [isChosen, onPhone])
  useEffect(() => {
    // Choosing a message to answer moves the focus to the field; a note is answered by a note only.
    if (!target) return
    if (target.kind === 'note') setKind('note')
    // The text field of a message takes the focus in the next frame, after the menu has returned it to its
    // button.
    const frame = requestAnimationFrame(() => field.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [target, setKind])

  const change = (chosenKind: WrittenKind) => {
    setKind(chosenKind)
    if (chosenKind === 'message' && target?.kind === 'note') reply.set(null)
    if (chosenKind === 'note') typingState.setTyping(false)
    field.current?.focus()
  }
  const switchKind = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (!hasChoice || !isPressed(event, shortcuts.chat.note)) return
    event.preventDefault()
    change(isNote ? 'message' : 'note')
  })
  useEffect(() => {
    const handleKeyDown = (event: globalThis.KeyboardEvent) => switchKind(event)
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [])

  const submitMessage = () => {
    setTooSoon(!composer.blockedReason && isCatchingUp !== undefined)
    if (blockedReason || viewedRole) return
    onSend({ kind, text: text.trim(), attachments, replyTo: target?.id ?? null })
    set({ text: '', attachments: [] })
    reply.set(null)
    typingState.setTyping(false)
    field.current?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (cannedReplies.handleKey(event)) return
    if (event.key === 'Escape' && target) return reply.set(null)
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submitMessage()
  }
  const selectVariable = ({ start, end }: OpenVariable) => {
    field.current?.focus()
    field.current?.setSelectionRange(start, end)
  }

  return (
    <form
      aria-label={t(isNote ? 'chat.internalNote' : isAsker ? 'chat.message' : 'chat.reply')}
      className={cx(
        '@container relative grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line px-4 py-3 max-md:px-2.5 max-md:pb-[max(12px,env(safe-area-inset-bottom))]',
        isNote ? 'bg-warning-soft' : 'bg-surface',
      )}
      onSubmit={(event) => {
        event.preventDefault()
        submitMessage()
      }}
    >
      <CannedList canned={cannedReplies} />
      <TypingLine room={room} typists={typingState.typists} />
      {hasChoice ? <KindChoice kind={kind} hasOtherDraft={composer.hasOtherDraft} onKind={change} /> : null}
      {notesOnly ? <NoteLabel /> : null}
      {room.state === 'closed' && !isNote ? (
        <p className="text-sm text-muted">{t(isAsker ? 'chat.closedAsk' : 'chat.closedNote')}</p>
      ) : null}
      {target ? <ReplyLine target={target} onRemove={() => reply.set(null)} /> : null}
      <ComposerAttachments
        attachments={attachments}
        uploads={files.uploads}
        onRetry={files.retry}
        onRemoveUpload={files.remove}
        onRemove={(url) => set({ attachments: attachments.filter((attachment) => attachment.url !== url) })}
      />
      <ComposerField
        field={field}
        composer={composer}
        cannedReplies={cannedReplies}
        isAsker={isAsker}
        stateId={stateId}
        disabled={(viewedRole && obstacle) ?? blockedReason}
        onType={(newText) => {
          set({ text: newText })
          if (!isNote) typingState.setTyping(newText.trim() !== '')
        }}
        onLeave={() => typingState.setTyping(false)}
        onKey={handleKey}
      />
      <OpenVariables variables={open} onJump={selectVariable} />
      {charactersLeft < 0 ? (
        <FieldError id={stateId}>{t('validation.maxLength', { max: maxMessageText })}</FieldError>
      ) : (
        <output id={stateId} className="text-sm text-muted empty:hidden">
          {(isTooSoon && isCatchingUp) || composer.state}
        </output>
      )}
    </form>
  )
}
