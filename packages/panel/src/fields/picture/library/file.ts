/** Details of a file's record: its texts, its size, its duration, its file size. */
import { type Entry, isLocale, type Locale, locales, type Translations } from '@dala/model'
import { formatBytes, formatDuration, type Translate } from '../../../lib/format.ts'
import { kindNameOf } from '../../upload/file-kind.tsx'
import { isType, types } from './view.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The texts of a picture file by language; without them the plain text, which is English (contract §10). */
function textsOf(texts: unknown, fallback: unknown): Translations {
  const storedTexts = isObject(texts) ? Object.entries(texts) : textOf(fallback) ? [['en', fallback] as const] : []
  return Object.fromEntries(storedTexts.filter(([locale, text]) => isLocale(locale) && textOf(text) !== ''))
}

export const altTextsOf = ({ alt, alternativeText }: Entry): Translations => textsOf(alt, alternativeText)
export const captionsOf = ({ captions, caption }: Entry): Translations => textsOf(captions, caption)
export const languagesIn = (texts: Translations): Locale[] => locales.filter((locale) => texts[locale])

export const folderOf = ({ folder }: Entry): string => textOf(folder)

/** Text of a file size in kilobytes: 240 KB, 1.5 MB. */
export function sizeText(t: Translate, locale: Locale, kilobytes: unknown): string {
  const size = numberOf(kilobytes)
  return size === undefined ? '' : formatBytes(t, locale, size * 1000)
}

/** Text of a picture's size: 1920 × 1080 px; undefined where the size is not known. */
export function dimensionsText(t: Translate, { width, height }: Entry): string {
  const [pixelWidth, pixelHeight] = [numberOf(width), numberOf(height)]
  return pixelWidth && pixelHeight
    ? t('library.pixels', { width: String(pixelWidth), height: String(pixelHeight) })
    : ''
}

/** Whether a file is a picture, which is shown; other files are only named. */
export const isPictureFile = ({ mime }: Entry): boolean => typeof mime !== 'string' || mime.startsWith('image/')

/** Text of a video's duration; empty for other files. */
export function durationText(t: Translate, { video }: Entry): string {
  const seconds = isObject(video) ? numberOf(video['duration_s']) : undefined
  return seconds === undefined ? '' : formatDuration(t, Math.max(1, Math.round(seconds / 60)))
}

/** Format of a file: JPEG, PNG, PDF, Word, MP4. */
export function typeText(file: Entry): string {
  if (!isPictureFile(file)) return kindNameOf(textOf(file['url']))
  const kind = textOf(file['mime']).replace('image/', '')
  return isType(kind) ? types[kind] : kind
}
