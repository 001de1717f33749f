/** The video of a lesson or a course at full width; an external player is loaded only after a click. */
import { videoOf } from '@dala/model'
import ExternalLink from 'lucide-react/icons/external-link'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { VideoPreview } from '../../../fields/text/video-preview.tsx'
import { useT } from '../../../lib/i18n.ts'
import { FurtherLink } from './further-link.tsx'

const box = 'aspect-[16/9] w-full rounded-2 border border-line bg-sunken'

/** A new address of a video needs a new click: pass the address as the key too. */
export function LessonVideo({ address, title }: { address: string; title: string }) {
  const t = useT()
  const [isPlaying, setPlaying] = useState(false)
  // An uploaded video file has a path without a host.
  const absoluteUrl = address.startsWith('/') ? new URL(address, location.origin).href : address
  const video = videoOf(absoluteUrl)
  if (!video) {
    return (
      <p className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 rounded-2 border border-line bg-sunken px-4 py-3">
        <span className="text-muted">{t('video.notHere')}</span>
        <FurtherLink address={absoluteUrl}>
          <span className="inline-flex items-center gap-1.5">
            {t('video.open')}
            <ExternalLink size={15} aria-hidden />
          </span>
        </FurtherLink>
      </p>
    )
  }
  if (video.kind === 'file') return <VideoPreview address={absoluteUrl} />
  if (isPlaying) {
    return (
      <iframe
        className={box}
        src={video.src}
        title={title}
        sandbox="allow-scripts allow-same-origin allow-presentation"
        allow="fullscreen; picture-in-picture; encrypted-media"
        // The sites require the origin of the embedding page; the address of the lesson stays private.
        referrerPolicy="strict-origin"
      />
    )
  }
  return (
    <button
      type="button"
      onClick={() => setPlaying(true)}
      className={`${box} group grid place-content-center justify-items-center gap-1.5 hover:bg-hover`}
    >
      <span className="grid size-12 place-items-center rounded-full bg-brand text-on-brand group-hover:bg-brand-hover">
        <Play size={22} aria-hidden />
      </span>
      <span className="font-semibold">{t('video.play')}</span>
      <bdi className="text-sm text-muted">{video.site}</bdi>
    </button>
  )
}
