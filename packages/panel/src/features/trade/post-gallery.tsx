/** The photos of a trading post: one large, the others as buttons that select it. */
import type { Entry } from '@dala/model'
import { useState } from 'react'
import { fileAddress } from '../../api/client.ts'
import { CoverPicture } from '../../fields/picture/cover.tsx'
import { isEntry } from '../../fields/field-display.tsx'
import { galleryPictureOf } from '../../fields/picture/picture.ts'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { GalleryButton } from '../../ui/overlays/gallery.tsx'
import { PostFigure } from './post-figure.tsx'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Photos of a trading post, the main photo first, each file once. */
function photosOf({ mainPhoto, images }: Entry): Entry[] {
  const otherPhotos: unknown[] = Array.isArray(images) ? images : []
  const allPhotos = [mainPhoto, ...otherPhotos].filter(isEntry)
  return allPhotos.filter((photo, index) => allPhotos.findIndex(({ id }) => id === photo.id) === index)
}

/** Photos of a trading post; those in `addedIds` are new in an edit and marked. */
export function PostGallery({ post, addedIds }: { post: Entry; addedIds?: ReadonlySet<number> }) {
  const t = useT()
  const locale = useLocale()
  const photos = photosOf(post)
  const [chosenIndex, setChosenIndex] = useState(0)
  const shownPhoto = photos[Math.min(chosenIndex, photos.length - 1)]
  if (!shownPhoto) {
    return (
      <p className="grid justify-items-center gap-3 rounded-2 bg-sunken px-4 py-8 text-muted">
        <PostFigure post={post} size={112} />
        {t('tradinposts.noPhotos')}
      </p>
    )
  }
  const total = formatNumber(locale, photos.length)
  const nameOf = (index: number) => t('upload.galleryPosition', { index: formatNumber(locale, index + 1), total })
  const altTextOf = (photo: Entry, index: number) => textOf(photo.alternativeText) || nameOf(index)
  return (
    <section aria-label={t('tradinposts.photos')} className="grid gap-2.5">
      <GalleryButton
        pictures={photos.flatMap((photo, index) => galleryPictureOf(photo, altTextOf(photo, index)) ?? [])}
        index={photos.indexOf(shownPhoto)}
        className="w-full"
      >
        <img
          src={fileAddress(textOf(shownPhoto.url))}
          alt={altTextOf(shownPhoto, photos.indexOf(shownPhoto))}
          className="aspect-4/3 w-full rounded-2 bg-sunken object-contain"
        />
      </GalleryButton>
      {photos.length > 1 ? (
        <ul className="flex flex-wrap gap-2">
          {photos.map((photo, index) => (
            <li key={photo.id}>
              <button
                type="button"
                aria-label={addedIds?.has(photo.id) ? `${nameOf(index)}, ${t('moderation.newPicture')}` : nameOf(index)}
                aria-pressed={photo === shownPhoto}
                onClick={() => setChosenIndex(index)}
                className={cx(
                  'relative block size-16 overflow-hidden rounded-2 border-2',
                  photo === shownPhoto ? 'border-brand-ui' : 'border-line hover:border-line-strong',
                )}
              >
                <CoverPicture file={photo} width={64} className="size-full" />
                {addedIds?.has(photo.id) ? (
                  <span className="absolute inset-x-0 bottom-0 bg-brand text-center text-xs font-semibold text-on-brand">
                    {t('moderation.newPicture')}
                  </span>
                ) : null}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
