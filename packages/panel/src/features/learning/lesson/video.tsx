/** The video of a lesson or a course at full width; an external player is loaded only after a click. */
import { type Locale, videoOf } from '@dala/model'
import ExternalLink from 'lucide-react/icons/external-link'
import Languages from 'lucide-react/icons/languages'
import Play from 'lucide-react/icons/play'
import { type ReactNode, Suspense, useState } from 'react'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { FurtherLink } from './further-link.tsx'
import type { Subtitles } from './player/media.tsx'
import type { Playback } from './player/watched.ts'

const Player = lazyPart(async () => (await import('./player/player.tsx')).Player)

const box = 'aspect-[16/9] w-full rounded-2 border border-line bg-sunken'

export interface LessonVideoProps {
  /**
   * Address of a video file or of a video site's page. A new address needs a new click: pass it as the key
   * too.
   */
  address: string
  title: string
  small?: string | null | undefined
  poster?: string | null | undefined
  subtitles?: readonly Subtitles[]
  /** Language of the lesson, and the language spoken in the video. */
  language?: Locale
  spokenLocale?: Locale
  startSecond?: number
  onPlayback?: (event: Playback) => void
  /** Content that covers the video when it has ended. */
  end?: ReactNode
}

/** Whether a video address is a file of the panel's own host; other files are recognised by their ending. */
const isOwnFile = (address: string) => address.startsWith('/') && !address.startsWith('//')

/** Video of a lesson, which reaches the edges of a narrow page. */
export function LessonVideo(props: LessonVideoProps) {
  return (
    <div className="@max-[559px]:-mx-3.5">
      <Video {...props} />
    </div>
  )
}

function Video({ address, title, language, spokenLocale: soundLocale, ...playerProps }: LessonVideoProps) {
  const t = useT()
  const reader = useLocale()
  const [isPlaying, setPlaying] = useState(false)
  const video = isOwnFile(address) ? ({ kind: 'file', src: address } as const) : videoOf(address)
  if (!video) {
    return (
      <p className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 rounded-2 border border-line bg-sunken px-4 py-3">
        <span className="text-muted">{t('video.notHere')}</span>
        <FurtherLink address={address}>
          <span className="inline-flex items-center gap-1.5">
            {t('video.open')}
            <ExternalLink size={15} aria-hidden />
          </span>
        </FurtherLink>
      </p>
    )
  }
  const isBorrowed = language !== undefined && soundLocale !== undefined && soundLocale !== language
  if (video.kind === 'file') {
    return (
      <Suspense fallback={<div className={box} />}>
        <Player
          {...playerProps}
          file={video.src}
          title={title}
          language={language ?? reader}
          {...(soundLocale && { spokenLocale: soundLocale })}
          mark={isBorrowed ? <SpokenMark spoken={soundLocale} /> : null}
        />
      </Suspense>
    )
  }
  if (isPlaying) {
    return (
      <iframe
        className={box}
        src={video.src}
        title={title}
        sandbox="allow-scripts allow-same-origin allow-presentation"
        allow="fullscreen; picture-in-picture; encrypted-media"
        // Video sites require the origin of the embedding page; the address of the lesson stays private.
        referrerPolicy="strict-origin"
      />
    )
  }
  return (
    <button
      type="button"
      onClick={() => setPlaying(true)}
      className={`${box} group relative grid place-content-center justify-items-center gap-1.5 hover:bg-hover`}
    >
      <span className="grid size-12 place-items-center rounded-full bg-brand text-on-brand group-hover:bg-brand-hover">
        <Play size={22} aria-hidden />
      </span>
      <span className="font-semibold">{t('video.play')}</span>
      <bdi className="text-sm text-muted">{video.site}</bdi>
      {isBorrowed ? (
        <span className="absolute start-3 top-3 flex items-center gap-2 rounded-1 bg-surface px-2.5 py-1 text-sm font-semibold">
          <SpokenMark spoken={soundLocale} />
        </span>
      ) : null}
    </button>
  )
}

/** Mark of a video whose language differs from that of the lesson, in the learner's language. */
function SpokenMark({ spoken }: { spoken: Locale }) {
  const t = useT()
  return (
    <>
      <Languages size={16} aria-hidden />
      {t('learning.videoIn', { language: t(`learning.in.${spoken}`) })}
    </>
  )
}
