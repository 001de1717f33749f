/** Signed-in user of the chat desk. */
import type { RoleType } from '@dala/model'

export interface Reader {
  id: number
  role: RoleType
  isConsultant: boolean
}
