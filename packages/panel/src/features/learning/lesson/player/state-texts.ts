/** The state of a player in words: names of its buttons, and announcements of its keys. */
import { type Locale, localeNames } from '@dala/model'
import { formatNumber, formatPercent, type Translate } from '../../../../lib/format.ts'
import type { AnnouncedState } from './keys.ts'
import { spokenTime } from './times.ts'
import type { MediaControl } from './use-media.ts'

interface PlayerState {
  control: MediaControl
  language: Locale
  subtitle: Locale | 'off'
}

export const speedText = (language: Locale, speed: number) => `${formatNumber(language, speed)}×`

export const positionText = (t: Translate, position: number, length: number) =>
  t('player.positionText', { time: spokenTime(t, position), length: spokenTime(t, length) })

export const volumeText = (language: Locale, { choices }: MediaControl) =>
  formatPercent(language, choices.isMuted ? 0 : Math.round(choices.volume * 100))

export const subtitlesText = (t: Translate, subtitle: Locale | 'off') =>
  t('player.subtitlesAre', {
    language: subtitle === 'off' ? t('player.subtitlesOff') : `${localeNames[subtitle]}, ${subtitle}`,
  })

type StateText = (t: Translate, state: PlayerState) => string

/** Announcement of each state that a key changes. */
export const stateTexts: Readonly<Record<AnnouncedState, StateText>> = {
  position: (t, { control }) => positionText(t, control.state.position, control.state.length),
  volume: (t, { control, language }) => `${t('player.volume')}: ${volumeText(language, control)}`,
  subtitles: (t, { subtitle }) => subtitlesText(t, subtitle),
  speed: (t, { control, language }) => `${t('player.speed')}: ${speedText(language, control.choices.speed)}`,
}
