/** Where a message is written: Enter sends, Shift and Enter break the line; what is typed is kept until it is sent. */
import { lengthOf } from '@dala/model'
import ImagePlus from 'lucide-react/icons/image-plus'
import SendHorizontal from 'lucide-react/icons/send-horizontal'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { useObstacle, useViewedRole } from '../../api/use-obstacle.ts'
import { useT } from '../../lib/i18n.ts'
import { phone, useMedia } from '../../lib/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Textarea } from '../../ui/input.tsx'
import type { Disabled } from '../../ui/why.tsx'
import type { Attachment, OpenRoom } from './chat-data.ts'
import { ComposerPictures } from './composer-pictures.tsx'
import { keepText, maxText, readKeptText, useKeptText } from './kept-texts.ts'
import { useUploads } from './use-uploads.ts'

/** The counter appears when so many characters are left. */
const near = 200
/** A message carries so many pictures (contract §11). */
const maxPictures = 10

export interface ComposerProps {
  room: OpenRoom
  user: number
  /** The reader is the one who asks. */
  asks: boolean
  /** The room was just chosen: the next thing is to write. */
  isChosen: boolean
  onSend: (text: string, attachments: Attachment[]) => void
}

export function Composer({ room: { id: room, state }, user, asks, isChosen, onSend }: ComposerProps) {
  const t = useT()
  const obstacle = useObstacle()
  // Without a connection Enter puts the message on its way; as another role nothing is sent.
  const viewed = useViewedRole()
  const onPhone = useMedia(phone)
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const { text, attachments } = useKeptText(user, room)
  const { uploads, add, retry, remove } = useUploads((done) =>
    keepText(user, room, { attachments: [...readKeptText(user, room).attachments, done] }),
  )
  const stateId = useId()
  const left = maxText - lengthOf(text)
  const isFull = attachments.length + uploads.length >= maxPictures
  const isEmpty = text.trim() === '' && attachments.length === 0
  const held: Disabled = isEmpty
    ? t(uploads.length > 0 ? 'chat.uploading' : 'chat.nothingWritten')
    : left < 0
      ? t('validation.maxLength', { max: maxText })
      : uploads.length > 0 && t('chat.uploading')

  useEffect(() => {
    // After the page has taken the focus; a phone would open its keyboard over the messages.
    if (!isChosen || onPhone) return
    const frame = requestAnimationFrame(() => field.current?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [isChosen, onPhone])

  const send = () => {
    if (held || viewed) return
    onSend(text.trim(), [...attachments])
    keepText(user, room, { text: '', attachments: [] })
    field.current?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const take = (list: FileList | null | undefined) => {
    if (list) add([...list].slice(0, maxPictures - attachments.length - uploads.length))
  }

  return (
    <form
      className="grid gap-2 border-t border-line bg-surface px-4 py-3 max-md:px-2.5 max-md:pb-[max(12px,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {state === 'closed' ? (
        <p className="text-sm text-muted">{t(asks ? 'chat.closedAsk' : 'chat.closedNote')}</p>
      ) : null}
      <ComposerPictures
        attachments={attachments}
        uploads={uploads}
        onRetry={retry}
        onRemoveUpload={remove}
        onRemove={(url) => keepText(user, room, { attachments: attachments.filter((each) => each.url !== url) })}
      />
      <div className="flex items-end gap-2">
        <input
          ref={files}
          type="file"
          accept="image/*"
          multiple
          hidden
          onChange={(event) => {
            take(event.target.files)
            event.target.value = ''
          }}
        />
        <IconButton
          label={t('chat.attachPicture')}
          icon={<ImagePlus size={19} aria-hidden />}
          disabled={isFull && t('chat.mostPictures', { count: maxPictures })}
          onClick={() => files.current?.click()}
          className="h-(--control)"
        />
        <Textarea
          ref={field}
          rows={1}
          aria-label={t('chat.message')}
          aria-describedby={stateId}
          aria-invalid={left < 0 || undefined}
          placeholder={t('chat.placeholder')}
          value={text}
          onChange={(event) => keepText(user, room, { text: event.target.value })}
          onKeyDown={handleKey}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            if (event.dataTransfer.files.length === 0) return
            event.preventDefault()
            take(event.dataTransfer.files)
          }}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return
            event.preventDefault()
            take(event.clipboardData.files)
          }}
          className="field-sizing-content max-h-[calc(6lh+20px)] flex-1 resize-none!"
        />
        <Button
          kind="primary"
          type="submit"
          disabled={obstacle ?? held}
          icon={<SendHorizontal size={17} aria-hidden className="mirrored" />}
        >
          {t('action.send')}
        </Button>
      </div>
      {left < 0 ? (
        <FieldError id={stateId}>{t('validation.maxLength', { max: maxText })}</FieldError>
      ) : (
        <output id={stateId} className="text-sm text-muted empty:hidden">
          {uploads.some(({ reason }) => reason !== undefined)
            ? t('chat.uploadFailed')
            : uploads.length > 0
              ? t('chat.uploading')
              : left <= near
                ? t('chat.left', { count: left })
                : null}
        </output>
      )}
    </form>
  )
}
