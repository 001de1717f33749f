/**
 * Accounts that the tour of the panel is offered to in this browser, by id. A new account gets the offer at
 * sign-in, until its user has started or dismissed the tour.
 */
import { useSyncExternalStore } from 'react'
import { readStorage, storageKeys, writeStorage } from './storage-keys.ts'

type TourMark = 'offered' | 'left'

/** Days after its creation for which an account counts as new and gets the offer of the tour. */
const newAccountDays = 30
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

function storeTourMark(id: number, value: TourMark): void {
  writeStorage(storageKeys.tour, JSON.stringify({ ...readMarks(), [id]: value }))
  for (const listener of listeners) listener()
}

/** Offers the tour to a user who signs in with a new account and never had the offer in this browser. */
export function offerTour({ id, createdAt }: { id: number; createdAt?: string | null }): void {
  const age = Date.now() - Date.parse(createdAt ?? '')
  if (age < newAccountDays * day && readMarks()[id] === undefined) storeTourMark(id, 'offered')
}

/** Ends the offer of the tour: the user has started it, or does not want it. */
export const leaveTour = (id: number): void => storeTourMark(id, 'left')

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether the tour is offered to an account at present. */
export function useTourOffer(id: number | undefined): boolean {
  return useSyncExternalStore(subscribe, () => id !== undefined && readMarks()[id] === 'offered')
}
