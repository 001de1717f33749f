/**
 * Notice above or instead of the composer when the user may not write to the other side: the reason, and what
 * would change it.
 */
import type { MessageId } from '@dala/model'
import Lock from 'lucide-react/icons/lock'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { hasMessage, useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import type { OpenRoom } from '../chat-data.ts'
import { useDrafts } from './drafts.ts'
import type { Reader } from '../reader.ts'
import type { RoomPermissions } from '../room-permissions.ts'
import { useAssign } from '../hand-over/use-assign.ts'

/**
 * The reason why the user may not write: from the server if it gives one, otherwise derived from the room.
 */
function reasonOf(
  { cannot_write_reason: code }: OpenRoom,
  { owner, userSide: readerSide, mayNote }: RoomPermissions,
): MessageId {
  if (readerSide === 'desk' && !mayNote) return 'chat.closed.lost'
  if (code === 'unassigned' || (!code && !owner)) return 'chat.free'
  const key = `chat.closed.${code}`
  return hasMessage(key) ? key : 'validation.otherConsultant'
}

export interface ComposerClosedProps {
  room: OpenRoom
  reader: Reader
  permissions: RoomPermissions
  /** Callback that starts a note for the desk; absent when the user may not write one. */
  onNote: (() => void) | undefined
}

export function ComposerClosed({ room, reader, permissions, onNote }: ComposerClosedProps) {
  const t = useT()
  const obstacle = useObstacle()
  const { assign, failure } = useAssign(room.id)
  const { owner, mayTake, userSide: readerSide } = permissions
  const draftText = useDrafts(reader.id, room.id, 'message').text
  return (
    <div className="grid gap-2 border-t border-line bg-sunken px-5 py-3.5 max-md:px-3.5 max-md:pb-[max(14px,env(safe-area-inset-bottom))]">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <p className="flex min-w-48 flex-1 items-start gap-2.5">
          <Lock size={17} aria-hidden className="mt-0.5 shrink-0 text-muted" />
          <span>
            {t(reasonOf(room, permissions))}
            {owner && readerSide === 'desk' ? (
              <span className="block text-sm text-muted">{t('chat.ownedBy', { name: nameOfCard(owner) })}</span>
            ) : null}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          {onNote ? <Button onClick={onNote}>{t('chat.writeNote')}</Button> : null}
          {mayTake ? (
            <Button
              kind="primary"
              isBusy={assign.isPending}
              disabled={obstacle ?? false}
              onClick={() => assign.mutate({ to: reader.id, from: owner?.id ?? null })}
            >
              {t('chat.takeOver')}
            </Button>
          ) : null}
        </div>
      </div>
      <FailureLine>{failure}</FailureLine>
      {draftText ? (
        // Text typed before the room was reassigned stays visible and can be copied.
        <div className="grid gap-1">
          <p className="text-sm text-muted">{t('chat.draftKept')}</p>
          <p className="max-h-24 overflow-y-auto rounded-2 border border-line bg-surface px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap">
            {draftText}
          </p>
        </div>
      ) : null}
    </div>
  )
}
