/** The contracts of all routes outside the generic ones, for tests and for types; the panel imports types alone. */
import { deskRoutes } from './chat-desk.ts'
import { messageRoutes } from './chat-messages.ts'
import { roomRoutes } from './chat-rooms.ts'
import { consultationRoutes } from './consultations.ts'
import { homeRoutes } from './home.ts'
import { inboxRoutes } from './inbox.ts'

export const contracts = {
  ...consultationRoutes,
  ...deskRoutes,
  ...homeRoutes,
  ...inboxRoutes,
  ...messageRoutes,
  ...roomRoutes,
}

/** The contracts by the names of their routes. */
export type Api = typeof contracts
