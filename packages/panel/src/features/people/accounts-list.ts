/** Slots for the lists of users and of the staff. */
import type { ListSlots } from '../../resource/screen-parts.ts'
import { InviteButton } from './invite-button.tsx'
import { PlaceCell, StateCell } from './person-cells.tsx'
import { PresenceCell } from './presence.tsx'

export const accountsList: ListSlots = {
  cells: { district: PlaceCell, active: StateCell, last_seen_at: PresenceCell },
  Actions: InviteButton,
}
