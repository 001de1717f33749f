/**
 * The segments that the specification names for consultations, in the address and as conditions (requirements
 * §2, contract §13).
 */
import type { MessageId } from '@dala/model'
import type { Query } from '../../api/query-string.ts'

export const segments = ['all', 'finished', 'unfinished', 'replayed', 'unreplayed'] as const
export type Segment = (typeof segments)[number]

/** Segments of consultations by their labels in the address. */
const segmentsByLabel = {
  all: 'all',
  completed: 'finished',
  unfinished: 'unfinished',
  answered: 'replayed',
  notAnswered: 'unreplayed',
} as const satisfies Record<string, Segment>

/** Label of a segment of consultations (requirements §2). */
export function segmentLabel(segment: Segment): MessageId {
  const labels = {
    all: 'consultation.label.all',
    finished: 'consultation.label.completed',
    unfinished: 'consultation.label.unfinished',
    replayed: 'consultation.label.answered',
    unreplayed: 'consultation.label.notAnswered',
  } as const
  return labels[segment]
}

/**
 * Segment of consultations by its label in an address; both spellings are accepted, any other value means
 * all.
 */
export function segmentOf({ show }: Readonly<Record<string, unknown>>): Segment {
  if (typeof show !== 'string') return 'all'
  const byLabel = Object.entries(segmentsByLabel).find(([label]) => label === show)?.[1]
  return segments.find((segment) => segment === show) ?? byLabel ?? 'all'
}

const segmentConditions: Readonly<Record<Segment, Query>> = {
  all: {},
  finished: { finished_at: { $notNull: true } },
  unfinished: { finished_at: { $null: true } },
  replayed: { answered_at: { $notNull: true } },
  unreplayed: { answered_at: { $null: true } },
}

export function conditionsOf(address: Readonly<Record<string, unknown>>): Query {
  return segmentConditions[segmentOf(address)]
}
