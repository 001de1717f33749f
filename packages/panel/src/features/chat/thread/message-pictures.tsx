/** The pictures of a message: their boxes have a fixed size before they load, to avoid layout shifts. */
import { galleryPictureOf } from '../../../fields/picture/picture.ts'
import { useT } from '../../../lib/i18n.ts'
import { GalleryButton } from '../../../ui/overlays/gallery.tsx'
import type { Attachment } from '../chat-data.ts'

/** Maximum size of a single picture in a message, in pixels. */
const [maxWidth, maxHeight] = [320, 240]

/** Size of the box that fits a picture without cropping. */
function boxOf({ width, height }: Attachment): { width: number; height: number } {
  if (!width || !height) return { width: maxWidth, height: maxHeight }
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  return { width: Math.max(48, Math.round(width * scale)), height: Math.max(48, Math.round(height * scale)) }
}

export function MessagePictures({ attachments }: { attachments: readonly Attachment[] }) {
  const t = useT()
  const [firstAttachment] = attachments
  if (!firstAttachment) return null
  const pictures = attachments.flatMap(
    ({ url, name, width, height }) =>
      galleryPictureOf({ url, width, height }, t('a11y.imageAlt', { name: name || t('chat.photo') })) ?? [],
  )
  const singleBox = attachments.length === 1 ? boxOf(firstAttachment) : undefined
  return (
    <ul className="flex flex-wrap gap-2 py-1">
      {pictures.map(({ src, alt }, index) => (
        <li key={src} className="max-w-full">
          <GalleryButton pictures={pictures} index={index} className="max-w-full rounded-1">
            {singleBox ? (
              <img
                src={src}
                alt={alt}
                {...singleBox}
                className="h-auto max-w-full rounded-1 bg-sunken object-cover"
                style={{ aspectRatio: `${singleBox.width} / ${singleBox.height}` }}
              />
            ) : (
              <img src={src} alt={alt} width={128} height={128} className="size-32 rounded-1 bg-sunken object-cover" />
            )}
          </GalleryButton>
        </li>
      ))}
    </ul>
  )
}
