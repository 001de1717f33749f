/** Plays the uploaded video of a lesson; a browser that saves data gets the smaller file. */
import { type Locale, localeNames } from '@dala/model'
import type { OwnVideo } from './own-video.ts'

interface OwnVideoPlayerProps {
  video: OwnVideo
  subtitles: readonly { value: string; locale: Locale }[]
  title: string
}

/** Whether the user has asked for less data, where the browser tells. */
function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined
  return typeof connection === 'object' && connection !== null && 'saveData' in connection
    ? connection.saveData === true
    : false
}

export function OwnVideoPlayer({ video, subtitles, title }: OwnVideoPlayerProps) {
  const { file, small, poster } = video
  const [first, ...others] = subtitles
  return (
    <video
      controls
      preload="metadata"
      src={small && savesData() ? small : file}
      {...(poster && { poster })}
      aria-label={title}
      className="aspect-video w-full rounded-2 border border-line bg-sunken"
    >
      <track
        kind="captions"
        src={first?.value}
        srcLang={first?.locale}
        label={first && localeNames[first.locale]}
        default
      />
      {others.map(({ value, locale }) => (
        <track key={locale} kind="captions" src={value} srcLang={locale} label={localeNames[locale]} />
      ))}
    </video>
  )
}
