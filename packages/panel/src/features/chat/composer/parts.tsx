/**
 * Elements around the composer's field: the switch between reply and note, and the quoted message.
 */
import type { ChatMessage } from '@dala/model'
import Lock from 'lucide-react/icons/lock'
import Reply from 'lucide-react/icons/reply'
import X from 'lucide-react/icons/x'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import type { WrittenKind } from './drafts.ts'

export interface KindChoiceProps {
  kind: WrittenKind
  /** Whether the other kind of message, note or reply, has a draft too. */
  hasOtherDraft: boolean
  onKind: (kind: WrittenKind) => void
}

export function KindChoice({ kind, hasOtherDraft, onKind }: KindChoiceProps) {
  const t = useT()
  const otherKind = kind === 'note' ? 'message' : 'note'
  const labelOf = (writtenKind: WrittenKind) => (writtenKind === 'note' ? t('chat.internalNote') : t('chat.reply'))
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <SegmentedControl
        label={t('chat.whatToWrite')}
        value={kind}
        onValueChange={onKind}
        segments={(['message', 'note'] as const).map((value) => ({ value, label: labelOf(value) }))}
        className="[&>*]:h-8 [&>*]:text-sm"
      />
      {kind === 'note' ? <NoteLabel /> : null}
      {hasOtherDraft ? <span className="text-sm">{t('chat.draftWaits', { kind: labelOf(otherKind) })}</span> : null}
    </div>
  )
}

export function NoteLabel() {
  const t = useT()
  return (
    <span className="flex items-center gap-1.5 text-sm font-medium text-warning-text">
      <Lock size={14} aria-hidden />
      {t('chat.staffOnly')}
    </span>
  )
}

export function ReplyLine({ target, onRemove }: { target: ChatMessage; onRemove: () => void }) {
  const t = useT()
  return (
    <div className="flex items-center gap-2 border-s-3 border-brand-ui bg-sunken ps-2.5 text-sm">
      <Reply size={16} aria-hidden className="mirrored shrink-0 text-muted" />
      <p className="min-w-0 flex-1 py-1.5">
        <span className="block font-semibold">{t('chat.replyTo', { name: nameOfCard(target.sender) })}</span>
        <span dir="auto" className="block truncate text-muted">
          {target.text ?? t('chat.lastAttachment')}
        </span>
      </p>
      <IconButton label={t('chat.replyRemove')} icon={<X size={16} aria-hidden />} onClick={onRemove} />
    </div>
  )
}
