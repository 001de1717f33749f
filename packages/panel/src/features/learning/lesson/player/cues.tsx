/** The subtitles of a video, drawn by the page so that they stay above the player's controls. */
import type { Locale } from '@dala/model'
import { type RefObject, useEffect, useState } from 'react'

/** Text of the subtitle cues that are shown now; their markup has no meaning that a line of text lacks. */
function textOf({ activeCues }: TextTrack): string {
  const cues: TextTrackCue[] = Array.from(activeCues ?? [])
  return cues.map((cue) => (cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? '') : '')).join('\n')
}

interface CuesProps {
  media: RefObject<HTMLVideoElement | null>
  locale: Locale
}

export function SubtitleCues({ media, locale }: CuesProps) {
  const [text, setText] = useState('')
  useEffect(() => {
    const tracks: TextTrack[] = Array.from(media.current?.textTracks ?? [])
    const subtitleTrack = tracks.find(({ language }) => language === locale)
    if (!subtitleTrack) return
    // A hidden text track loads its file and reports its cues, but the browser draws nothing.
    subtitleTrack.mode = 'hidden'
    const show = () => setText(textOf(subtitleTrack))
    show()
    subtitleTrack.addEventListener('cuechange', show)
    return () => {
      subtitleTrack.removeEventListener('cuechange', show)
      subtitleTrack.mode = 'disabled'
      setText('')
    }
  }, [media, locale])
  if (text === '') return null
  return (
    <p lang={locale} className="player-cues">
      <span>{text}</span>
    </p>
  )
}
