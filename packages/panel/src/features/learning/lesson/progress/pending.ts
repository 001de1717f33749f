/** Progress of a learner that the server has not confirmed yet, stored in this browser for its account. */
import { type Interval, mergeIntervals } from '@dala/model'
import { createDraft, parseList, type StoredDraft } from '../../../../lib/drafts/draft-store.ts'
import { isObject } from '../../../../lib/is-object.ts'

/** Activity of a learner in a part of a lesson. */
export interface ProgressChange {
  position_s?: number
  watched?: readonly Interval[]
  opened?: true
  marked?: true
}

export interface PendingProgress extends ProgressChange {
  lesson: number
  /** Id of the lesson's part; empty for the lesson itself. */
  part: string
}

/** Maximum number of parts with unconfirmed progress in this browser; the oldest is dropped. */
const maxStoredParts = 50

const isInterval = (value: unknown): value is Interval =>
  Array.isArray(value) && value.length === 2 && value.every((intervalEnd) => typeof intervalEnd === 'number')

function isPending(value: unknown): value is PendingProgress {
  if (!isObject(value)) return false
  const { lesson, part, position_s, watched, opened, marked } = value
  return (
    typeof lesson === 'number' &&
    typeof part === 'string' &&
    (position_s === undefined || typeof position_s === 'number') &&
    (watched === undefined || (Array.isArray(watched) && watched.every(isInterval))) &&
    (opened === undefined || opened === true) &&
    (marked === undefined || marked === true)
  )
}

const draftOf = (user: number): StoredDraft<PendingProgress[]> =>
  createDraft(`draft/progress/${user}`, parseList(isPending))

/** Reads the unconfirmed progress of an account, oldest first. */
export const readPendingProgress = (user: number): PendingProgress[] => draftOf(user).read() ?? []

function write(user: number, list: readonly PendingProgress[]): void {
  if (list.length > 0) draftOf(user).write([...list])
  else draftOf(user).clear()
}

const isSamePart = (one: PendingProgress, other: PendingProgress) =>
  one.lesson === other.lesson && one.part === other.part

/** Adds progress to the unconfirmed progress of the same part, and moves that part to the end. */
export function addPendingProgress(user: number, addedProgress: PendingProgress): void {
  const list = readPendingProgress(user)
  const formerProgress = list.find((storedProgress) => isSamePart(storedProgress, addedProgress))
  const watchedIntervals = mergeIntervals([...(formerProgress?.watched ?? []), ...(addedProgress.watched ?? [])])
  const mergedProgress = {
    ...formerProgress,
    ...addedProgress,
    ...(watchedIntervals.length > 0 && { watched: watchedIntervals }),
  }
  write(
    user,
    [...list.filter((storedProgress) => !isSamePart(storedProgress, addedProgress)), mergedProgress].slice(
      -maxStoredParts,
    ),
  )
}

/** Removes confirmed progress, unless more was added meanwhile: the server merges repeated progress. */
export function removePending(user: number, sentProgress: PendingProgress): void {
  const isSent = (storedProgress: PendingProgress) =>
    isSamePart(storedProgress, sentProgress) && JSON.stringify(storedProgress) === JSON.stringify(sentProgress)
  write(
    user,
    readPendingProgress(user).filter((storedProgress) => !isSent(storedProgress)),
  )
}
