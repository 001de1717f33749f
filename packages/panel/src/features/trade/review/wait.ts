/** Working time that a post has waited against its target, and the time that a claim lasts. */
import { claimMinutes, type PostClaim, type QueueTarget, type WorkingTime, workingTime } from '@dala/model'
import { useMemo } from 'react'
import type { Translate } from '../../../lib/format.ts'

const minute = 60_000

/** Working calendar of a review target. */
export function useCalendar(target: QueueTarget | undefined): WorkingTime | undefined {
  return useMemo(() => target && workingTime(target.working, target.zone), [target])
}

export interface PostWait {
  hours: number
  minutes: number
  /** State of a post's wait: `soon` in the last quarter of the target. */
  state: 'in time' | 'soon' | 'late'
}

/** Number of hours of a wait above which minutes are omitted. */
const longWaitHours = 10

/** Text for the length of a post's wait. */
export const waitText = (
  t: Translate,
  id: 'moderation.wait' | 'moderation.waits',
  { hours, minutes }: PostWait,
): string => (hours >= longWaitHours ? t(`${id}Long`, { hours }) : t(id, { hours, minutes }))

/** Working time that has passed since a post was submitted. */
export function waitOf(calendar: WorkingTime, target: QueueTarget, submittedAt: string, now: Date): PostWait {
  const minutesPassed = Math.floor(calendar.between(Date.parse(submittedAt), now.getTime()) / minute)
  const elapsedShare = minutesPassed / (target.hours * 60)
  const state = elapsedShare > 1 ? 'late' : elapsedShare >= 0.75 ? 'soon' : 'in time'
  return { hours: Math.floor(minutesPassed / 60), minutes: minutesPassed % 60, state }
}

/** Whole minutes that a claim lasts; the page's clock is up to half a minute late. */
export const minutesLeft = ({ until }: PostClaim, now: Date) =>
  Math.max(1, Math.min(claimMinutes, Math.ceil((Date.parse(until) - now.getTime()) / minute)))
