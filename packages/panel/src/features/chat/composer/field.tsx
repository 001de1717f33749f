/**
 * The text field of the composer between the button for files and the send button; it accepts pasted and
 * dropped files.
 */
import Paperclip from 'lucide-react/icons/paperclip'
import SendHorizontal from 'lucide-react/icons/send-horizontal'
import { maxAttachments } from '@dala/model'
import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { documentAccept } from '../../../fields/upload/file-kind.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useMedia } from '../../../lib/hooks/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Textarea } from '../../../ui/inputs/input.tsx'
import type { DisabledReason } from '../../../ui/disabled-reason.tsx'
import type { CannedReplies } from '../canned/use-canned.ts'
import type { ComposerState } from './use-composer.ts'

/**
 * Media query of screens wide enough for the long hint of the composer: a textarea cannot show an ellipsis.
 */
const wideScreen = '(min-width: 1360px)'

export interface ComposerFieldProps {
  field: RefObject<HTMLTextAreaElement | null>
  composer: ComposerState
  cannedReplies: CannedReplies
  isAsker: boolean
  /** Id of the element that describes the state of the composer. */
  stateId: string
  disabled: DisabledReason
  onType: (text: string) => void
  onLeave: () => void
  onKey: (event: KeyboardEvent) => void
}

export function ComposerField(props: ComposerFieldProps) {
  const { field, composer, cannedReplies: replies, isAsker, stateId, disabled, onType, onLeave, onKey } = props
  const t = useT()
  const isWide = useMedia(wideScreen)
  const files = useRef<HTMLInputElement>(null)
  const isNote = composer.kind === 'note'
  const placeholder = isNote
    ? 'chat.notePlaceholder'
    : isAsker || !isWide
      ? 'chat.placeholder'
      : 'chat.placeholderSlash'
  return (
    <div className="flex items-end gap-2">
      <input
        ref={files}
        type="file"
        accept={`image/*,${documentAccept}`}
        multiple
        hidden
        onChange={(event) => {
          composer.addFiles(event.target.files)
          event.target.value = ''
        }}
      />
      <IconButton
        label={t('chat.attach')}
        icon={<Paperclip size={19} aria-hidden />}
        disabled={composer.isFull && t('chat.mostFiles', { count: maxAttachments })}
        onClick={() => files.current?.click()}
        className="h-(--control)"
      />
      <Textarea
        ref={field}
        data-composer
        rows={1}
        aria-label={t(isNote ? 'chat.internalNote' : 'chat.message')}
        aria-describedby={stateId}
        aria-invalid={composer.charactersLeft < 0 || composer.open.length > 0 || undefined}
        placeholder={t(placeholder)}
        value={composer.text}
        {...replies.props}
        onChange={(event) => {
          onType(event.target.value)
          replies.followCursor()
        }}
        onSelect={replies.followCursor}
        onBlur={() => {
          replies.leave()
          onLeave()
        }}
        onKeyDown={onKey}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return
          event.preventDefault()
          composer.addFiles(event.dataTransfer.files)
        }}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          composer.addFiles(event.clipboardData.files)
        }}
        // The placeholder of the composer takes one line; otherwise the field would shrink with the first
        // letter.
        className="field-sizing-content max-h-[calc(6lh+20px)] min-w-0 flex-1 resize-none! placeholder:overflow-hidden placeholder:text-ellipsis placeholder:whitespace-nowrap"
      />
      <Button
        kind="primary"
        type="submit"
        disabled={disabled}
        aria-label={t(isNote ? 'chat.saveNote' : 'action.send')}
        icon={<SendHorizontal size={17} aria-hidden className="mirrored" />}
        // In a narrow composer the send button shows its icon only.
        className="@max-[600px]:[&>span]:hidden"
      >
        {t(isNote ? 'chat.saveNote' : 'action.send')}
      </Button>
    </div>
  )
}
