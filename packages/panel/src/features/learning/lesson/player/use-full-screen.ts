/** Shows the whole player in full screen, so that its own controls stay. */
import { type RefObject, useEffect, useState } from 'react'

/** A telephone of Apple shows only the bare video in full screen. */
interface AppleVideo {
  webkitEnterFullscreen: () => void
}

const isAppleVideo = (media: object | null): media is AppleVideo => media !== null && 'webkitEnterFullscreen' in media

export interface FullScreen {
  isFull: boolean
  toggle: () => void
}

export function useFullScreen(
  box: RefObject<HTMLElement | null>,
  media: RefObject<HTMLVideoElement | null>,
): FullScreen {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === box.current)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [box])
  const toggle = () => {
    const video: object | null = media.current
    if (document.fullscreenElement) void document.exitFullscreen()
    // The browser refuses where a page around it forbids full screen.
    else if (document.fullscreenEnabled) void box.current?.requestFullscreen().catch(() => undefined)
    else if (isAppleVideo(video)) video.webkitEnterFullscreen()
  }
  return { isFull, toggle }
}
