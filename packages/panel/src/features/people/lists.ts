/** The list of consultants: the first page for most users, so it loads nothing else. */
import type { ListSlots } from '../../resource/screen-parts.ts'
import { AnsweredCell, PlaceCell, StateCell, YearsCell } from './person-cells.tsx'
import { PresenceCell } from './presence.tsx'

export const consultantsList: ListSlots = {
  cells: {
    district: PlaceCell,
    active: StateCell,
    last_seen_at: PresenceCell,
    answered: AnsweredCell,
    experience_years: YearsCell,
  },
  after: { consultantcategories: 'answered' },
}
