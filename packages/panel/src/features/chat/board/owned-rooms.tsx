/** The open rooms of a consultant, or the unassigned ones: open a room, or select rooms to reassign. */
import type { BoardRow, ReassignedRoom, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { urgencyOf, waitLabel } from '../../../lib/wait.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { LoadedPart } from '../../../resource/part.tsx'
import { Button } from '../../../ui/button.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import type { Room } from '../chat-data.ts'
import { lastMessageText } from '../rooms/room-text.ts'
import { openRoomsQuery } from './board-data.ts'
import { ReassignDialog } from './reassign-dialog.tsx'

/** Result for a reassigned room, with the name of its other side. */
type ReassignResult = ReassignedRoom & { name: string }

export interface HeldRoomsProps {
  screen: Screen
  owner: number | null
  board: readonly BoardRow[]
}

export function OwnedRooms({ screen, owner, board }: HeldRoomsProps) {
  const t = useT()
  const openRooms = useQuery(openRoomsQuery(owner))
  const [selectedIds, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [reassignedRooms, setReassigned] = useState<readonly ReassignResult[]>([])
  const heading = useRef<HTMLHeadingElement>(null)
  // The list of a consultant's rooms appears below the row that was pressed.
  useEffect(() => heading.current?.focus(), [])
  const ownerCard = board.find(({ consultant }) => consultant.id === owner)?.consultant
  const name = ownerCard ? nameOfCard(ownerCard) : t('chat.queue')
  const rooms = openRooms.data?.rooms ?? []
  const selectedRooms = rooms.filter(({ id }) => selectedIds.has(id))
  const isAllSelected = rooms.length > 0 && selectedRooms.length === rooms.length
  const toggleRoom = (id: number) => {
    const nextIds = new Set(selectedIds)
    if (!nextIds.delete(id)) nextIds.add(id)
    setSelected(nextIds)
  }
  return (
    <Sheet hasPadding aria-label={t('chat.roomsOf', { name })}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-0">
          {t('chat.roomsOf', { name })}
        </h2>
        <div className="flex flex-wrap items-center gap-3">
          {rooms.length > 0 ? (
            <label className="inline-flex min-h-9 items-center gap-1 text-sm">
              <span className="check-target">
                <input
                  type="checkbox"
                  className="check"
                  checked={isAllSelected}
                  onChange={() => setSelected(new Set(isAllSelected ? [] : rooms.map(({ id }) => id)))}
                />
              </span>
              {t('action.selectAll')}
            </label>
          ) : null}
          <Button
            kind="primary"
            disabled={selectedRooms.length === 0 && t('chat.chooseRooms')}
            onClick={() => setDialogOpen(true)}
          >
            {selectedRooms.length > 0 ? t('chat.reassignCount', { count: selectedRooms.length }) : t('chat.reassign')}
          </Button>
        </div>
      </div>
      <Results reassigned={reassignedRooms} />
      <LoadedPart query={openRooms}>
        {() =>
          rooms.length === 0 ? (
            <p className="text-muted">{t('chat.noOpenRooms')}</p>
          ) : (
            <ul className="grid">
              {rooms.map((room) => (
                <Line
                  key={room.id}
                  screen={screen}
                  room={room}
                  isChosen={selectedIds.has(room.id)}
                  onToggle={() => toggleRoom(room.id)}
                />
              ))}
            </ul>
          )
        }
      </LoadedPart>
      <ReassignDialog
        key={String(isDialogOpen)}
        rooms={selectedRooms}
        owner={owner}
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onDone={(results) => {
          const names = new Map(selectedRooms.map(({ id, sender }) => [id, nameOfCard(sender)]))
          setReassigned(results.map((result) => ({ ...result, name: names.get(result.room) ?? '' })))
          setSelected(new Set(results.filter(({ ok }) => !ok).map(({ room }) => room)))
        }}
      />
    </Sheet>
  )
}

interface LineProps {
  screen: Screen
  room: Room
  isChosen: boolean
  onToggle: () => void
}

function Line({ screen, room, isChosen, onToggle }: LineProps) {
  const t = useT()
  const now = useNow()
  const urgency = urgencyOf(room, now)
  const name = nameOfCard(room.sender)
  return (
    <li className="flex items-center gap-2 border-t border-line py-1.5">
      <label className="check-target">
        <input
          type="checkbox"
          className="check"
          aria-label={t('list.selectRow', { name })}
          checked={isChosen}
          onChange={onToggle}
        />
      </label>
      <Link to={`/app/${screen.path}/${room.id}`} className="min-w-0 flex-1 rounded-1 py-1 hover:underline">
        <bdi className="block truncate font-semibold">{name}</bdi>
        <span lang={room.language ?? undefined} dir="auto" className="block truncate text-sm text-muted">
          {lastMessageText(t, room)}
        </span>
      </Link>
      {urgency ? (
        <span
          className={cx(
            'shrink-0 text-sm font-medium max-md:text-xs',
            urgency === 'late' ? 'text-danger-text' : urgency === 'soon' ? 'text-warning-text' : 'text-muted',
          )}
        >
          {waitLabel(t, room, now)}
        </span>
      ) : null}
    </li>
  )
}

/** Results of the hand-over for each of the selected rooms. */
function Results({ reassigned }: { reassigned: readonly ReassignResult[] }) {
  const t = useT()
  const failedResults = reassigned.filter(({ ok }) => !ok)
  return (
    <output className="block empty:hidden">
      {reassigned.length > 0 ? (
        <div className="mb-3 grid gap-1 rounded-2 bg-sunken px-3.5 py-2.5 text-sm">
          <p className="font-medium">{t('chat.reassigned', { count: reassigned.length - failedResults.length })}</p>
          <ul className="grid gap-0.5 text-danger-text empty:hidden">
            {failedResults.map(({ room, name, owner }) => (
              <li key={room}>
                {owner
                  ? t('chat.reassignTaken', { name, owner: nameOfCard(owner) })
                  : t('chat.reassignFailed', { name })}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </output>
  )
}
