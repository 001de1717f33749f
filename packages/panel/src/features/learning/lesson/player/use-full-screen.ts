/** Shows the whole video player in full screen, so that the player's own controls stay visible. */
import { type RefObject, useEffect, useState } from 'react'

/** An iPhone shows only the bare video in full screen. */
interface AppleVideo {
  webkitEnterFullscreen: () => void
}

const isAppleVideo = (media: object | null): media is AppleVideo => media !== null && 'webkitEnterFullscreen' in media

export interface FullScreen {
  isFull: boolean
  toggleFullScreen: () => void
}

export function useFullScreen(
  box: RefObject<HTMLElement | null>,
  media: RefObject<HTMLVideoElement | null>,
): FullScreen {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const updateFullScreen = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === box.current)
    document.addEventListener('fullscreenchange', updateFullScreen)
    return () => document.removeEventListener('fullscreenchange', updateFullScreen)
  }, [box])
  const switchFullScreen = () => {
    const video: object | null = media.current
    if (document.fullscreenElement) void document.exitFullscreen()
    // The browser refuses full screen where a page around the panel forbids it.
    else if (document.fullscreenEnabled) void box.current?.requestFullscreen().catch(() => undefined)
    else if (isAppleVideo(video)) video.webkitEnterFullscreen()
  }
  return { isFull, toggleFullScreen: switchFullScreen }
}
