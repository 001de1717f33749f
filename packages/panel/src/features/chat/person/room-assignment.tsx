/** Owner of a room, their presence, and the hand-over. */
import { resources } from '@dala/model'
import { Suspense, use, useState } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { labelOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { CaseContext } from '../../../resource/case-reasons.ts'
import { Button } from '../../../ui/button.tsx'
import { useWasEverTrue } from '../../../ui/use-ever.ts'
import type { OpenRoom } from '../chat-data.ts'
import { isDesk } from '../desk-search.ts'
import type { Reader } from '../reader.ts'
import type { RoomPermissions } from '../room-permissions.ts'
import { usePresence } from './use-presence.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { AwaitedPart } from '../../../ui/awaited.tsx'

const HandOverDialog = lazyPart(async () => (await import('../hand-over/dialog.tsx')).HandOverDialog)

export interface RoomAssignmentProps {
  room: OpenRoom
  reader: Reader
  permissions: RoomPermissions
}

export function RoomAssignment({
  room,
  reader,
  permissions: { owner, mayHandOver, mayNote, userSide: readerSide },
}: RoomAssignmentProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const wasOpened = useWasEverTrue(isOpen)
  const presence = usePresence(owner?.id)
  const caseParts = use(CaseContext)
  const isSelf = readerSide === 'owner'
  const ownerName = owner ? (isSelf ? t('chat.you') : nameOfCard(owner)) : t('consultation.unassigned')
  return (
    <section className="grid gap-2 text-sm">
      <h3 className="text-xs text-muted">{labelOf(resources.chatrooms, 'assignee')}</h3>
      <p>
        <bdi>{ownerName}</bdi>
        {presence && !isSelf ? (
          <span className={presence === 'online' ? 'text-success-text' : 'text-muted'}>
            {' · '}
            {t(presence === 'online' ? 'people.online' : 'account.offline')}
          </span>
        ) : null}
      </p>
      {mayHandOver ? (
        <Button className="justify-self-start" onClick={() => setOpen(true)}>
          {t('chat.handOver')}
        </Button>
      ) : null}
      {isDesk(reader) && mayNote && caseParts.Reasons ? (
        <Suspense fallback={null}>
          <caseParts.Reasons kind="room" id={room.id} />
        </Suspense>
      ) : null}
      {wasOpened ? (
        <AwaitedPart onGiveUp={() => setOpen(false)}>
          <HandOverDialog
            key={String(isOpen)}
            room={room}
            reader={reader}
            owner={owner?.id ?? null}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        </AwaitedPart>
      ) : null}
    </section>
  )
}
