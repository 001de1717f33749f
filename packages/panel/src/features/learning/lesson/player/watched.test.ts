import { mergeIntervals } from '@dala/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectInterval, intervalsOf, unwatchedState, type Playback } from './watched.ts'

/** An action of a learner in the player; positions and durations are tenths of seconds. */
type Act =
  | { act: 'play' | 'pause' | 'take' }
  | { act: 'seek'; to: number }
  | { act: 'rate'; rate: number }
  | { act: 'wait'; ticks: number }

const length = 600
const act = fc.oneof(
  fc.constantFrom<Act>({ act: 'play' }, { act: 'pause' }, { act: 'take' }),
  fc.integer({ min: 0, max: length }).map((targetPosition): Act => ({ act: 'seek', to: targetPosition })),
  fc.constantFrom(1, 2, 3, 4, 6).map((rate): Act => ({ act: 'rate', rate })),
  fc.integer({ min: 1, max: 40 }).map((ticks): Act => ({ act: 'wait', ticks })),
)

/** A player that emits the events of a video element, and notes each tenth that it plays. */
function playHistory(acts: readonly Act[]) {
  const events: Playback[] = []
  const playedSeconds = new Set<number>()
  let [position, rate, isPlaying] = [0, 2, false]
  const emitPlayback = (kind: Playback['kind']) => events.push({ kind, at: position / 10 })
  for (const playerAct of acts) {
    if (playerAct.act === 'play' && !isPlaying && position < length) {
      isPlaying = true
      emitPlayback('play')
    } else if (playerAct.act === 'pause' && isPlaying) {
      isPlaying = false
      emitPlayback('pause')
    } else if (playerAct.act === 'seek') {
      position = playerAct.to
      emitPlayback('seek')
      if (isPlaying) emitPlayback('play')
    } else if (playerAct.act === 'rate') rate = playerAct.rate
    else if (playerAct.act === 'wait' && isPlaying)
      for (let tick = 0; tick < playerAct.ticks && isPlaying; tick += 1) {
        const nextPosition = Math.min(position + rate, length)
        for (let playedTenth = position; playedTenth < nextPosition; playedTenth += 1) playedSeconds.add(playedTenth)
        position = nextPosition
        emitPlayback('time')
        if (position < length) continue
        isPlaying = false
        emitPlayback('pause')
      }
  }
  return { events, played: playedSeconds }
}

describe('collect', () => {
  it('collects exactly what a player played, over random histories of playing, seeking and speeds', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const { events, played } = playHistory(acts)
        const watchedState = events.reduce(collectInterval, unwatchedState)
        const recomputedIntervals = mergeIntervals([...played].map((tenth) => [tenth / 10, (tenth + 1) / 10]))
        expect(intervalsOf(watchedState)).toEqual(recomputedIntervals)
      }),
    )
  })
  it('makes no watched interval of a seek, also when the video element reports the target while playing', () => {
    const events: Playback[] = [
      { kind: 'play', at: 0 },
      { kind: 'time', at: 4 },
      { kind: 'seek', at: 300 },
      { kind: 'time', at: 300 },
      { kind: 'play', at: 300 },
      { kind: 'pause', at: 302 },
    ]
    expect(intervalsOf(events.reduce(collectInterval, unwatchedState))).toEqual([
      [0, 4],
      [300, 302],
    ])
  })
})
