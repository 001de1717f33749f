/** A picture of a record, large, with the text for those who do not see it. */
import { type Entry, isLocale, readTranslations, type Translations } from '@dala/model'
import { fileAddress } from '../api/client.ts'
import { useLocale, useT } from '../lib/i18n.ts'
import { addressOf, fileNameOf } from './picture-value.ts'

const isTexts = (value: unknown): value is Translations =>
  typeof value === 'object' && value !== null && Object.keys(value).every(isLocale)

/** The alternative text in the reader's language, else the one for all languages. */
function useAltText({ alt, alternativeText }: Entry): string {
  const locale = useLocale()
  const own = isTexts(alt) ? readTranslations(alt, locale) : null
  return own ?? (typeof alternativeText === 'string' ? alternativeText : '')
}

export function PicturePreview({ picture }: { picture: Entry }) {
  const t = useT()
  const alt = useAltText(picture)
  return (
    <figure className="grid gap-1.5">
      <img
        src={fileAddress(addressOf(picture))}
        // Without a text of its own it is at least named: an editor has to know that it is there.
        alt={alt || t('a11y.imageAlt', { name: fileNameOf(picture) })}
        className="max-h-80 w-full rounded-2 border border-line bg-sunken object-contain"
      />
      <figcaption className="text-sm text-muted">
        {t('picture.alt', { text: alt || t('empty.notSpecified') })}
      </figcaption>
    </figure>
  )
}
