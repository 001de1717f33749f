/** Codes and limits of the chat that its contracts, its events and the panel share. */

export const messageKinds = ['message', 'note', 'system'] as const
export type MessageKind = (typeof messageKinds)[number]

export const roomStates = ['open', 'waiting_customer', 'closed'] as const
export type RoomState = (typeof roomStates)[number]

/** The events in the history of a room. */
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

/** The sort orders of a user's own rooms. */
export const roomOrders = ['waiting', 'latest', 'unread'] as const
export type RoomOrder = (typeof roomOrders)[number]

/** The records that messages can be converted into. */
export const convertTargets = ['consultation', 'faq'] as const

/** The longest text of a message, in characters. */
export const maxMessageText = 4_000
/** The longest note of a hand-over, and the longest reason for a change of state. */
export const maxDeskNote = 1_000
/** The longest comment of a rating. */
export const maxRatingComment = 1_000
/** Rooms in one hand-over call. */
export const maxReassigned = 50
/** Messages in one draft. */
export const maxConverted = 50
/** Maximum that a search counts; it finds further messages. */
export const maxCountedHits = 10_000
/** The longest query of a message search, in characters. */
export const maxSearchText = 200
