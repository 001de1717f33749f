/** Codes and limits of the chat that contracts, socket events and the panel share. */

export const messageKinds = ['message', 'note', 'system'] as const
export type MessageKind = (typeof messageKinds)[number]

export const roomStates = ['open', 'waiting_customer', 'closed'] as const
export type RoomState = (typeof roomStates)[number]

/** Events in the history of a chat room. */
export const roomHistoryActions = [
  'opened',
  'assigned',
  'state',
  'no_reply',
  'edited',
  'deleted',
  'read',
  'rated',
  'converted',
] as const

/** Steps of a consultation that are not edits. */
export const consultationActions = ['assign', 'finish', 'reopen', 'no_reply'] as const
export type ConsultationAction = (typeof consultationActions)[number]

/** Sort orders of a user's own chat rooms. */
export const roomOrders = ['waiting', 'latest', 'unread'] as const
export type RoomOrder = (typeof roomOrders)[number]

/** Resources of the records that chat messages can be converted into. */
export const convertTargets = ['consultation', 'faq'] as const

/** The longest text of a chat message, in characters. */
export const maxMessageText = 4_000
/** Maximum number of pictures and documents of a message (contract §11). */
export const maxAttachments = 10
/** The longest note of a hand-over, and the longest reason for a change of state. */
export const maxDeskNote = 1_000
/** Maximum length of the comment on a chat's rating. */
export const maxRatingComment = 1_000
/** Maximum number of chat rooms in one hand-over call. */
export const maxReassignedRooms = 50
/** Maximum number of chat messages in one draft of a record. */
export const maxConvertedMessages = 50
/** Maximum number of chat messages that a search counts; the search finds further ones. */
export const maxCountedHits = 10_000
/** The longest query of a message search, in characters. */
export const maxSearchText = 200
