/** The state of a video element for React, and the actions on the element. */
import { useEffect, useRef, useState } from 'react'
import { useStable } from '../../../../lib/hooks/use-stable.ts'
import { type PlayerChoices, readChoices, storeChoices } from './choices.ts'
import { speeds } from './keys.ts'
import { findFailure, type MediaFailure } from './media-failure.ts'
import type { Playback } from './watched.ts'

export interface MediaState {
  isPlaying: boolean
  /** Whether the video has stopped because it waits for data. */
  isWaiting: boolean
  isEnded: boolean
  position: number
  /** Length of the video in seconds; 0 while it is unknown. */
  length: number
  /** End of the loaded range that contains the video's position, in seconds. */
  loadedSeconds: number
  failure: MediaFailure | undefined
}

const initialState: MediaState = {
  isPlaying: false,
  isWaiting: false,
  isEnded: false,
  position: 0,
  length: 0,
  loadedSeconds: 0,
  failure: undefined,
}

/** Returns the end of the loaded range that contains the video's position. */
function loadedEnd({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index += 1)
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index)) return buffered.end(index)
  return currentTime
}

const lengthOf = ({ duration }: HTMLVideoElement) => (Number.isFinite(duration) ? duration : 0)

/** Starts the video; the browser may refuse, and the video then stays paused. */
const start = (media: HTMLVideoElement) => void Promise.resolve(media.play()).catch(() => undefined)

interface MediaOptions {
  source: string
  onPlayback: ((event: Playback) => void) | undefined
}

/**
 * Follows the playing state of a video element.
 *
 * @returns A reference for the element, its state and handlers, the remembered choices, and the actions.
 */
export function useMedia({ source, onPlayback }: MediaOptions) {
  const media = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState(initialState)
  const [choices, setChoices] = useState<PlayerChoices>(readChoices)
  /** Position at which a video file continues after it was loaded again. */
  const resumeState = useRef<{ at: number; isPlaying: boolean } | undefined>(undefined)
  const update = (change: Partial<MediaState>) => setState((formerState) => ({ ...formerState, ...change }))
  const emitPlayback = (kind: Playback['kind'], playbackSecond = media.current?.currentTime ?? 0) =>
    onPlayback?.({ kind, at: playbackSecond })

  const choose = (change: Partial<PlayerChoices>) => {
    storeChoices(change)
    setChoices((formerChoices) => ({ ...formerChoices, ...change }))
  }
  const seekPosition = (newPosition: number) => {
    const element = media.current
    if (!element) return
    const length = lengthOf(element)
    const clampedPosition = Math.max(0, length > 0 ? Math.min(newPosition, length) : newPosition)
    // A video whose length is still unknown remembers the position at which it must start.
    if (length === 0) resumeState.current = { at: clampedPosition, isPlaying: resumeState.current?.isPlaying ?? false }
    else element.currentTime = clampedPosition
    update({ position: clampedPosition, isEnded: false })
  }
  const setVolume = (volume: number, isMuted: boolean) => {
    const element = media.current
    if (!element) return
    element.volume = volume
    element.muted = isMuted
    choose({ volume, isMuted })
  }
  const setSpeed = (speed: PlayerChoices['speed']) => {
    if (media.current) media.current.playbackRate = speed
    choose({ speed })
  }
  const togglePlay = () => {
    const element = media.current
    if (!element) return
    if (element.paused) start(element)
    else element.pause()
  }
  /** Loads the video file again, or another file, at the same position. */
  const reloadMedia = (change: () => void) => {
    const element = media.current
    if (!element) return
    resumeState.current ??= { at: state.position, isPlaying: !element.paused }
    if (state.isPlaying) emitPlayback('seek', state.position)
    update({ failure: undefined })
    change()
    element.load()
  }

  const mediaHandlers = {
    onLoadedMetadata: () => {
      const element = media.current
      if (!element) return
      element.playbackRate = choices.speed
      element.volume = choices.volume
      element.muted = choices.isMuted
      const { at: resumePosition, isPlaying } = resumeState.current ?? { at: 0, isPlaying: false }
      resumeState.current = undefined
      // A video that the learner left at its end starts from its beginning.
      const startPosition = resumePosition < lengthOf(element) - 1 ? resumePosition : 0
      if (startPosition > 0) element.currentTime = startPosition
      if (isPlaying) start(element)
      update({ length: lengthOf(element), position: startPosition, failure: undefined })
    },
    onDurationChange: () => media.current && update({ length: lengthOf(media.current) }),
    onPlay: () => update({ isPlaying: true, isEnded: false }),
    onPlaying: () => {
      update({ isPlaying: true, isWaiting: false })
      emitPlayback('play')
    },
    onWaiting: () => update({ isWaiting: true }),
    onTimeUpdate: () => {
      const element = media.current
      // A reloaded video element reports position 0 until its new file has a length.
      if (!element || element.readyState === 0) return
      update({ position: element.currentTime, loadedSeconds: loadedEnd(element) })
      if (!element.seeking) emitPlayback('time')
    },
    onProgress: () => media.current && update({ loadedSeconds: loadedEnd(media.current) }),
    onPause: () => {
      update({ isPlaying: false, isWaiting: false })
      emitPlayback('pause')
    },
    onSeeking: () => emitPlayback('seek'),
    onSeeked: () => {
      if (media.current && !media.current.paused) emitPlayback('play')
    },
    onEnded: () => {
      update({ isPlaying: false, isEnded: true })
      emitPlayback('pause')
    },
    onError: () => {
      const code = media.current?.error?.code
      // A video element without a file reports position 0: the stored position is the last one that was
      // played.
      if (state.isPlaying) {
        resumeState.current = { at: state.position, isPlaying: true }
        emitPlayback('pause', state.position)
      }
      update({ isPlaying: false, isWaiting: false })
      void findFailure(source, code).then((failure) => update({ failure }))
    },
  }
  const catchUpState = useStable(() => {
    if (media.current?.error) mediaHandlers.onError()
    else if (media.current && media.current.readyState > 0) mediaHandlers.onLoadedMetadata()
  })
  // A cached video file is loaded, or refused, before the element is in the page and has listeners.
  useEffect(() => catchUpState(), [catchUpState])
  return {
    media,
    state,
    choices,
    handlers: mediaHandlers,
    choose,
    setSpeed,
    setVolume,
    seekPosition: useStable(seekPosition),
    reloadMedia: useStable(reloadMedia),
    togglePlay,
    move: (seconds: number) => seekPosition((media.current?.currentTime ?? 0) + seconds),
    moveTo: (share: number) => seekPosition(share * state.length),
    changeVolume: (volumeStep: number) =>
      setVolume(Math.round(Math.min(1, Math.max(0, choices.volume + volumeStep)) * 10) / 10, false),
    toggleMute: () => setVolume(choices.volume, !choices.isMuted),
    changeSpeed: (speedStep: 1 | -1) => {
      const newSpeed = speeds[speeds.indexOf(choices.speed) + speedStep]
      if (newSpeed !== undefined) setSpeed(newSpeed)
    },
  }
}

export type MediaControl = ReturnType<typeof useMedia>
