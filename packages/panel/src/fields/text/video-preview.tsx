/** Preview of a video beside its address: files play in place, a site's player loads only on request. */
import { videoOf } from '@dala/model'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'

const frame = 'aspect-video w-full max-w-xl rounded-2 border border-line bg-sunken'

export function VideoPreview({ address }: { address: string }) {
  const t = useT()
  const [isPlaying, setPlaying] = useState(false)
  const video = videoOf(address)
  if (!video) return <p className="text-sm text-muted">{t('video.elsewhere')}</p>
  if (video.kind === 'file') {
    // The preview of a video starts muted: it only shows that the video is the right one.
    return <video controls muted preload="none" src={video.src} aria-label={t('video.preview')} className={frame} />
  }
  if (!isPlaying) {
    return (
      <Button className="justify-self-start" icon={<Play size={16} aria-hidden />} onClick={() => setPlaying(true)}>
        {t('video.show', { site: video.site })}
      </Button>
    )
  }
  return (
    <iframe
      src={video.src}
      title={t('video.preview')}
      sandbox="allow-scripts allow-same-origin allow-presentation"
      allow="fullscreen; picture-in-picture; encrypted-media"
      // Video sites play only with a referrer; they get the origin, not the address of the record.
      referrerPolicy="strict-origin"
      className={frame}
    />
  )
}
