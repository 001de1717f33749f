/** Records what a learner does in a lesson: stored in this browser first, and sent as soon as possible. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { meQuery } from '../../../../api/session.ts'
import { loadDrafts } from '../../../../lib/drafts/draft-store.ts'
import { useStable } from '../../../../lib/hooks/use-stable.ts'
import { collectInterval, intervalsOf, unwatchedState, type Playback } from '../player/watched.ts'
import { sendUnconfirmedProgress } from './api.ts'
import { addPendingProgress, type ProgressChange } from './pending.ts'

/** Milliseconds of playing after which the progress is sent. */
const sendInterval = 15_000

/**
 * Stores and sends progress in a lesson's part; `isLeaving` when the page may close before the server
 * answers.
 */
export type RecordProgress = (part: string, change: ProgressChange, isLeaving?: boolean) => void

export interface PlaybackRecording {
  /** Records progress; undefined for authors, and before the account is known. */
  record: RecordProgress | undefined
  /** Whether progress is stored in this browser only, because the server could not be reached. */
  isWaiting: boolean
}

/**
 * Records a learner's progress in a lesson.
 *
 * @param lesson - Id of the lesson in the language in which it is read.
 * @param progressKey - Key of the query that shows the progress.
 * @param isLearner - Whether the user is a learner, whose progress is recorded.
 */
export function useRecording(lesson: number, progressKey: readonly unknown[], isLearner: boolean): PlaybackRecording {
  const { data: me } = useQuery(meQuery)
  const cache = useQueryClient()
  const [isWaiting, setWaiting] = useState(false)
  const user = isLearner ? me?.id : undefined
  const send = useStable((isLeaving: boolean) => {
    if (user === undefined) return
    void sendUnconfirmedProgress(user, isLeaving).then(({ isComplete, hasChanged }) => {
      setWaiting(!isComplete)
      if (hasChanged) void cache.invalidateQueries({ queryKey: progressKey })
    })
  })
  const record = useStable((partId: string, change: ProgressChange, isLeaving?: boolean) => {
    if (user === undefined) return
    void loadDrafts().then(() => {
      addPendingProgress(user, { lesson, part: partId, ...change })
      send(isLeaving === true)
    })
  })
  useEffect(() => {
    if (user === undefined) return
    const resendRecording = () => send(false)
    resendRecording()
    window.addEventListener('online', resendRecording)
    return () => window.removeEventListener('online', resendRecording)
  }, [user, send])
  return { record: user === undefined ? undefined : record, isWaiting }
}

/**
 * Records the playing of a video: every 15 seconds, on a pause, and when the user leaves the page.
 *
 * @returns The listener of a player's events.
 */
export function usePlaybackRecording(record: RecordProgress | undefined, partId: string): (event: Playback) => void {
  const watchedState = useRef(unwatchedState)
  const position = useRef<number | undefined>(undefined)
  const sendRecording = useStable((isLeaving: boolean) => {
    const intervals = intervalsOf(watchedState.current)
    if (position.current === undefined && intervals.length === 0) return
    const { openInterval: currentInterval } = watchedState.current
    watchedState.current = { openInterval: currentInterval && [currentInterval[1], currentInterval[1]], intervals: [] }
    record?.(
      partId,
      {
        ...(position.current !== undefined && { position_s: position.current }),
        ...(intervals.length > 0 && { watched: intervals }),
      },
      isLeaving,
    )
    position.current = undefined
  })
  useEffect(() => {
    if (!record) return
    const timer = setInterval(() => {
      if (watchedState.current.openInterval) sendRecording(false)
    }, sendInterval)
    const handleHidden = () => document.visibilityState === 'hidden' && sendRecording(true)
    const handleLeave = () => sendRecording(true)
    document.addEventListener('visibilitychange', handleHidden)
    window.addEventListener('pagehide', handleLeave)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', handleHidden)
      window.removeEventListener('pagehide', handleLeave)
      sendRecording(false)
    }
  }, [record, sendRecording])
  return useStable((event: Playback) => {
    watchedState.current = collectInterval(watchedState.current, event)
    position.current = event.at
    if (event.kind === 'pause') sendRecording(false)
  })
}
