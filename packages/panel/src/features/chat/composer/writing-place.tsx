/**
 * The lower end of a thread: the composer, or the reason why the user may not write, with notes for the desk
 * below.
 */
import { useState } from 'react'
import type { OpenRoom } from '../chat-data.ts'
import { Composer } from './composer.tsx'
import { ComposerClosed } from './closed.tsx'
import { useDrafts } from './drafts.ts'
import type { Reader } from '../reader.ts'
import type { RoomPermissions } from '../room-permissions.ts'
import type { NewMessage } from './use-send-message.ts'

export interface WritingPlaceProps {
  room: OpenRoom
  reader: Reader
  permissions: RoomPermissions
  /** Whether the user has just chosen the room in order to write. */
  isChosen: boolean
  onSend: (message: NewMessage) => void
}

export function WritingArea({ room, reader, permissions, isChosen, onSend }: WritingPlaceProps) {
  const { mayWrite, mayNote, userSide: readerSide } = permissions
  const noteDraft = useDrafts(reader.id, room.id, 'note')
  const hasNote = noteDraft.text !== '' || noteDraft.attachments.length > 0
  const [isNoting, setNoting] = useState(false)
  // A note for the desk that was started earlier is shown, also one that could not be sent.
  if (!mayWrite && hasNote && !isNoting) setNoting(true)
  // A note that is being written stays a note when its author gets the room; in any other case the composer
  // starts anew.
  const [isWriting, setWriting] = useState(false)
  const [field, setField] = useState({ mayWrite, number: 0 })
  if (field.mayWrite !== mayWrite) {
    setField({ mayWrite, number: field.number + (mayWrite && isWriting ? 0 : 1) })
    setNoting(false)
    if (!mayWrite) setWriting(false)
  }
  return (
    <>
      {mayWrite ? null : (
        <ComposerClosed
          room={room}
          reader={reader}
          permissions={permissions}
          onNote={mayNote && !isNoting ? () => setNoting(true) : undefined}
        />
      )}
      {mayWrite || (mayNote && isNoting) ? (
        <div className="contents" onFocus={() => setWriting(true)} onBlur={() => setWriting(false)}>
          <Composer
            key={field.number}
            room={room}
            user={reader.id}
            isAsker={readerSide === 'asker'}
            isChosen={isChosen || !mayWrite}
            notesOnly={!mayWrite}
            onSend={onSend}
          />
        </div>
      ) : null}
    </>
  )
}
