/** The home page with the dialogs of the features whose work it shows. */
import { HomePage } from '../features/home/home-page.tsx'
import type { RowDialogProps } from '../features/home/work-list.tsx'
import { callerRoleOf } from '../api/session.ts'
import { lazyFeature } from '../ui/lazy-part.ts'

const HandOverDialog = lazyFeature(async () => (await import('../features/chat/hand-over/dialog.tsx')).HandOverDialog)
const AssignDialog = lazyFeature(async () => (await import('../features/consultations/assign-dialog.tsx')).AssignDialog)

/** Hands a room over with a note, from the owner that the row names or from nobody. */
function HandOverRoomDialog({ row: { id, from, owner }, me, onClose }: RowDialogProps) {
  const reader = { id: me.id, ...callerRoleOf(me) }
  const room = { id, sender: { id: from?.id ?? 0 } }
  return <HandOverDialog room={room} reader={reader} owner={owner?.id ?? null} open onClose={onClose} />
}

/** Assigns a question to a consultant. */
function ConsultationDialog({ row: { id, owner }, onClose }: RowDialogProps) {
  const consultant = owner && { id: owner.id, username: owner.name }
  return <AssignDialog records={[{ id, consultant }]} open onClose={onClose} />
}

export function HomeScreen() {
  return <HomePage dialogs={{ Room: HandOverRoomDialog, Consultation: ConsultationDialog }} />
}
