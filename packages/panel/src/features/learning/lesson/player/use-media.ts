/** The state of a video element for React, and the actions on it. */
import { useEffect, useRef, useState } from 'react'
import { useStable } from '../../../../lib/hooks/use-stable.ts'
import { type PlayerChoices, readChoices, storeChoices } from './choices.ts'
import { speeds } from './keys.ts'
import { findFailure, type MediaFailure } from './media-failure.ts'
import type { Playback } from './watched.ts'

export interface MediaState {
  isPlaying: boolean
  /** The video waits for data. */
  isWaiting: boolean
  isEnded: boolean
  position: number
  /** Seconds of the video; 0 while they are unknown. */
  length: number
  /** End of the part around the position that is loaded. */
  loadedTo: number
  failure: MediaFailure | undefined
}

const initialState: MediaState = {
  isPlaying: false,
  isWaiting: false,
  isEnded: false,
  position: 0,
  length: 0,
  loadedTo: 0,
  failure: undefined,
}

/** End of the loaded range that contains the position. */
function loadedEnd({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index += 1)
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index)) return buffered.end(index)
  return currentTime
}

const lengthOf = ({ duration }: HTMLVideoElement) => (Number.isFinite(duration) ? duration : 0)

/** Starts playing; the browser may refuse, and the video then stays paused. */
const start = (media: HTMLVideoElement) => void Promise.resolve(media.play()).catch(() => undefined)

interface MediaOptions {
  source: string
  onPlayback: ((event: Playback) => void) | undefined
}

/**
 * Follows a video element.
 *
 * @returns A reference for the element, its state, the remembered choices, the actions, and the handlers for the element.
 */
export function useMedia({ source, onPlayback }: MediaOptions) {
  const media = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState(initialState)
  const [choices, setChoices] = useState<PlayerChoices>(readChoices)
  /** Where a file that is loaded anew continues. */
  const resume = useRef<{ at: number; isPlaying: boolean } | undefined>(undefined)
  const update = (change: Partial<MediaState>) => setState((before) => ({ ...before, ...change }))
  const emit = (kind: Playback['kind'], at = media.current?.currentTime ?? 0) => onPlayback?.({ kind, at })

  const choose = (change: Partial<PlayerChoices>) => {
    storeChoices(change)
    setChoices((before) => ({ ...before, ...change }))
  }
  const seek = (to: number) => {
    const element = media.current
    if (!element) return
    const length = lengthOf(element)
    const at = Math.max(0, length > 0 ? Math.min(to, length) : to)
    // Before its length is known, a video remembers where to start.
    if (length === 0) resume.current = { at, isPlaying: resume.current?.isPlaying ?? false }
    else element.currentTime = at
    update({ position: at, isEnded: false })
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
  /** Loads the file again, or another file, at the same position. */
  const reload = (change: () => void) => {
    const element = media.current
    if (!element) return
    resume.current ??= { at: state.position, isPlaying: !element.paused }
    if (state.isPlaying) emit('seek', state.position)
    update({ failure: undefined })
    change()
    element.load()
  }

  const handlers = {
    onLoadedMetadata: () => {
      const element = media.current
      if (!element) return
      element.playbackRate = choices.speed
      element.volume = choices.volume
      element.muted = choices.isMuted
      const { at: wanted, isPlaying } = resume.current ?? { at: 0, isPlaying: false }
      resume.current = undefined
      // A video that was left at its end starts again.
      const at = wanted < lengthOf(element) - 1 ? wanted : 0
      if (at > 0) element.currentTime = at
      if (isPlaying) start(element)
      update({ length: lengthOf(element), position: at, failure: undefined })
    },
    onDurationChange: () => media.current && update({ length: lengthOf(media.current) }),
    onPlay: () => update({ isPlaying: true, isEnded: false }),
    onPlaying: () => {
      update({ isPlaying: true, isWaiting: false })
      emit('play')
    },
    onWaiting: () => update({ isWaiting: true }),
    onTimeUpdate: () => {
      const element = media.current
      // An element that is loaded anew is at its start until its new file has a length.
      if (!element || element.readyState === 0) return
      update({ position: element.currentTime, loadedTo: loadedEnd(element) })
      if (!element.seeking) emit('time')
    },
    onProgress: () => media.current && update({ loadedTo: loadedEnd(media.current) }),
    onPause: () => {
      update({ isPlaying: false, isWaiting: false })
      emit('pause')
    },
    onSeeking: () => emit('seek'),
    onSeeked: () => {
      if (media.current && !media.current.paused) emit('play')
    },
    onEnded: () => {
      update({ isPlaying: false, isEnded: true })
      emit('pause')
    },
    onError: () => {
      const code = media.current?.error?.code
      // An element without a file is at its start: the position is the last one that was played.
      if (state.isPlaying) {
        resume.current = { at: state.position, isPlaying: true }
        emit('pause', state.position)
      }
      update({ isPlaying: false, isWaiting: false })
      void findFailure(source, code).then((failure) => update({ failure }))
    },
  }
  const catchUp = useStable(() => {
    if (media.current?.error) handlers.onError()
    else if (media.current && media.current.readyState > 0) handlers.onLoadedMetadata()
  })
  // A file from the cache is loaded, or refused, before the element is part of the page and has listeners.
  useEffect(() => catchUp(), [catchUp])
  return {
    media,
    state,
    choices,
    handlers,
    choose,
    setSpeed,
    setVolume,
    seek: useStable(seek),
    reload: useStable(reload),
    togglePlay,
    move: (seconds: number) => seek((media.current?.currentTime ?? 0) + seconds),
    moveTo: (share: number) => seek(share * state.length),
    changeVolume: (by: number) => setVolume(Math.round(Math.min(1, Math.max(0, choices.volume + by)) * 10) / 10, false),
    toggleMute: () => setVolume(choices.volume, !choices.isMuted),
    changeSpeed: (by: 1 | -1) => {
      const next = speeds[speeds.indexOf(choices.speed) + by]
      if (next !== undefined) setSpeed(next)
    },
  }
}

export type MediaControl = ReturnType<typeof useMedia>
