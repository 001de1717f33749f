/**
 * Whom the tour of the panel is offered to in this browser, by the id of the account. An account that is new when its
 * user signs in is offered the tour until its user has started or put away the tour.
 */
import { useSyncExternalStore } from 'react'
import { readStorage, storageKeys, writeStorage } from './storage-keys.ts'

type TourMark = 'offered' | 'left'

/** Days after its creation for which an account counts as new. */
const newFor = 30
const day = 86_400_000

const listeners = new Set<() => void>()

function readMarks(): Readonly<Record<string, unknown>> {
  try {
    const marks: unknown = JSON.parse(readStorage(storageKeys.tour) ?? '{}')
    return typeof marks === 'object' && marks !== null ? { ...marks } : {}
  } catch {
    return {}
  }
}

function mark(id: number, as: TourMark): void {
  writeStorage(storageKeys.tour, JSON.stringify({ ...readMarks(), [id]: as }))
  for (const listener of listeners) listener()
}

/** Offers the tour to a user who signs in with a new account and was never offered it in this browser. */
export function offerTour({ id, createdAt }: { id: number; createdAt?: string | null }): void {
  const age = Date.now() - Date.parse(createdAt ?? '')
  if (age < newFor * day && readMarks()[id] === undefined) mark(id, 'offered')
}

/** The user has started the tour, or does not want it: it is not offered again. */
export const leaveTour = (id: number): void => mark(id, 'left')

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the tour is offered to an account now. */
export function useTourOffer(id: number | undefined): boolean {
  return useSyncExternalStore(subscribe, () => id !== undefined && readMarks()[id] === 'offered')
}
