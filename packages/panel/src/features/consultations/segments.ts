/**
 * The segments of consultations, in the address and as conditions: those that the specification names
 * (requirements §2, contract §13), and the open cases of the desk.
 */
import type { MessageId } from '@dala/model'
import type { Query } from '../../api/query-string.ts'

const namedSegments = ['all', 'finished', 'unfinished', 'replayed', 'unreplayed'] as const
const deskSegments = ['mine', 'free', 'overdue'] as const
const segments = [...namedSegments, ...deskSegments]
export type Segment = (typeof segments)[number]

/** Groups of segments that a user is offered: open cases are those of consultants and staff. */
export const segmentGroups = (isDesk: boolean) => [
  { label: 'field.status' as const, segments: namedSegments },
  ...(isDesk ? [{ label: 'consultation.openQuestions' as const, segments: deskSegments }] : []),
]

/** Segments of consultations by their labels in the address. */
const segmentsByLabel = {
  all: 'all',
  completed: 'finished',
  unfinished: 'unfinished',
  answered: 'replayed',
  notAnswered: 'unreplayed',
} as const satisfies Record<string, Segment>

/** Label of a segment of consultations; those of the specification are fixed (requirements §2). */
export function segmentLabel(segment: Segment): MessageId {
  const labels = {
    all: 'consultation.label.all',
    finished: 'consultation.label.completed',
    unfinished: 'consultation.label.unfinished',
    replayed: 'consultation.label.answered',
    unreplayed: 'consultation.label.notAnswered',
    mine: 'consultation.segment.mine',
    free: 'consultation.segment.free',
    overdue: 'consultation.segment.overdue',
  } as const
  return labels[segment]
}

/**
 * Segment of consultations by its label in an address; both spellings are accepted, any other value means
 * all.
 */
export function segmentOf({ show }: Readonly<Record<string, unknown>>): Segment {
  if (typeof show !== 'string') return 'all'
  const segmentOfLabel = Object.entries(segmentsByLabel).find(([label]) => label === show)?.[1]
  return segments.find((segment) => segment === show) ?? segmentOfLabel ?? 'all'
}

const conditions: Readonly<Record<Exclude<Segment, 'mine'>, Query>> = {
  all: {},
  finished: { finished_at: { $notNull: true } },
  unfinished: { finished_at: { $null: true } },
  replayed: { answered_at: { $notNull: true } },
  unreplayed: { answered_at: { $null: true } },
  free: { consultant: { $null: true }, finished_at: { $null: true } },
  overdue: { overdue: true },
}

/**
 * Conditions of the segment in an address.
 *
 * @param user - The id of the user, whose own consultations one segment shows; it shows all while the user is
 *   not known.
 */
export function conditionsOf(address: Readonly<Record<string, unknown>>, user?: number): Query {
  const segment = segmentOf(address)
  if (segment !== 'mine') return conditions[segment]
  return user === undefined ? {} : { consultant: user, finished_at: { $null: true } }
}
