/** Words and bounds of the chat that its contracts, its events and the panel share. */

export const messageKinds = ['message', 'note', 'system'] as const
export type MessageKind = (typeof messageKinds)[number]

export const roomStates = ['open', 'waiting_customer', 'closed'] as const
export type RoomState = (typeof roomStates)[number]

/** What the history of a room tells of. */
export const roomHistoryActions = [
  'opened',
  'assigned',
  'state',
  'edited',
  'deleted',
  'read',
  'rated',
  'converted',
] as const

/** The orders of one's own rooms. */
export const roomOrders = ['waiting', 'latest', 'unread'] as const
export type RoomOrder = (typeof roomOrders)[number]

/** What messages are made into. */
export const convertTargets = ['consultation', 'faq'] as const

/** The longest text of a message, in letters. */
export const maxMessageText = 4_000
/** The longest note of a hand-over, and the longest reason for another state. */
export const maxDeskNote = 1_000
/** The longest comment of a rating. */
export const maxRatingComment = 1_000
/** Rooms that one call may hand over. */
export const maxReassigned = 50
/** Messages that one draft may be made of. */
export const maxConverted = 50
/** Messages that a search counts; it finds more than it counts. */
export const maxCountedHits = 10_000
/** Letters of a search through messages. */
export const maxSearchText = 200
