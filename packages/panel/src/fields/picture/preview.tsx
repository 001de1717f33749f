/** Large picture of a record, with its alternative text. */
import { type Entry, isLocale, type Locale, readTranslations, type Translations } from '@dala/model'
import { fileAddress } from '../../api/client.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { GalleryButton } from '../../ui/overlays/gallery.tsx'
import { galleryPictureOf } from './picture.ts'
import { addressOf, fileNameOf, isUpload } from './picture-value.ts'
import { DrawableFiles } from '../upload/private-file.tsx'

const isTexts = (value: unknown): value is Translations =>
  typeof value === 'object' && value !== null && Object.keys(value).every(isLocale)

const textOf = (texts: unknown, fallback: unknown, locale: Locale): string => {
  const translatedText = isTexts(texts) ? readTranslations(texts, locale) : null
  return translatedText ?? (typeof fallback === 'string' ? fallback : '')
}

interface PicturePreviewProps {
  /** All pictures of the field, for the gallery that the preview opens. */
  pictures: readonly Entry[]
  picture: Entry
}

export function PicturePreview({ pictures, picture }: PicturePreviewProps) {
  return (
    <DrawableFiles files={pictures}>
      {(files) => {
        const drawableFiles = files.filter(isUpload)
        return <PicturePane pictures={drawableFiles} picture={drawableFiles[pictures.indexOf(picture)] ?? picture} />
      }}
    </DrawableFiles>
  )
}

function PicturePane({ pictures, picture }: PicturePreviewProps) {
  const t = useT()
  const locale = useLocale()
  // Alternative text of a picture in the user's language, else the text for all languages.
  const alt = textOf(picture.alt, picture.alternativeText, locale)
  // A picture without alternative text gets a general name, so that screen readers announce it.
  const nameOf = (entry: Entry) =>
    textOf(entry.alt, entry.alternativeText, locale) || t('a11y.imageAlt', { name: fileNameOf(entry) })
  const galleryPictures = pictures.flatMap(
    (entry) => galleryPictureOf(entry, nameOf(entry), textOf(entry.captions, entry.caption, locale)) ?? [],
  )
  return (
    <figure className="grid gap-1.5">
      <GalleryButton pictures={galleryPictures} index={Math.max(0, pictures.indexOf(picture))} className="w-full">
        <img
          src={fileAddress(addressOf(picture))}
          alt={nameOf(picture)}
          className="max-h-80 w-full rounded-2 border border-line bg-sunken object-contain"
        />
      </GalleryButton>
      <figcaption className="text-sm text-muted">
        {t('picture.alt', { text: alt || t('empty.notSpecified') })}
      </figcaption>
    </figure>
  )
}
