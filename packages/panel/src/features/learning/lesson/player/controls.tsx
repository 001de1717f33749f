/** The bar of a video player: the time track above, the buttons below. */
import { type Locale, localeNames } from '@dala/model'
import Captions from 'lucide-react/icons/captions'
import Maximize from 'lucide-react/icons/maximize'
import Minimize from 'lucide-react/icons/minimize'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import type { ComponentProps } from 'react'
import { useT } from '../../../../lib/i18n.ts'
import { Choices, type ChoiceGroup } from './choice-popup.tsx'
import { speeds } from './keys.ts'
import { positionText, speedText, subtitlesText, volumeText } from './state-texts.ts'
import { clockText } from './times.ts'
import type { FullScreen } from './use-full-screen.ts'
import type { MediaControl } from './use-media.ts'

interface ControlsProps {
  control: MediaControl
  language: Locale
  /** Languages of the video's subtitles. */
  languages: readonly Locale[]
  subtitle: Locale | 'off'
  onSubtitle: (value: Locale | 'off') => void
  /** Whether the player plays the smaller video file; undefined for a video without one. */
  isSmall: boolean | undefined
  onQuality: (isSmall: boolean) => void
  fullScreen: FullScreen
}

function BarButton({ label, ...buttonProps }: { label: string } & ComponentProps<'button'>) {
  return <button type="button" aria-label={label} data-tip={label} className="player-button" {...buttonProps} />
}

export function Controls({
  control,
  language,
  languages,
  subtitle,
  onSubtitle,
  isSmall,
  onQuality,
  fullScreen,
}: ControlsProps) {
  const t = useT()
  const { state, choices, togglePlay, move, toggleMute, setVolume, setSpeed } = control
  const isSilent = choices.isMuted || choices.volume === 0
  const speedGroup: ChoiceGroup = {
    label: t('player.speed'),
    value: String(choices.speed),
    choices: speeds.map((speed) => ({ value: String(speed), label: speedText(language, speed) })),
    onChoose: (value) => setSpeed(speeds.find((speed) => String(speed) === value) ?? 1),
  }
  const qualityGroup: ChoiceGroup = {
    label: t('player.quality'),
    value: isSmall ? 'small' : 'full',
    choices: [
      { value: 'full', label: t('player.quality.full') },
      { value: 'small', label: t('player.quality.small') },
    ],
    onChoose: (value) => onQuality(value === 'small'),
  }
  const subtitleGroup: ChoiceGroup = {
    label: t('player.subtitles'),
    value: subtitle,
    choices: [
      { value: 'off', label: t('player.subtitlesOff') },
      ...languages.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale })),
    ],
    onChoose: (value) => onSubtitle(languages.find((locale) => locale === value) ?? 'off'),
  }
  return (
    <div className="player-bar">
      <SeekBar control={control} />
      <div className="player-buttons">
        <BarButton label={t(state.isPlaying ? 'player.pause' : 'player.play')} onClick={togglePlay}>
          {state.isPlaying ? <Pause size={20} aria-hidden /> : <Play size={20} aria-hidden />}
        </BarButton>
        <BarButton label={t('player.back')} onClick={() => move(-10)}>
          <RotateCcw size={18} aria-hidden />
          <small aria-hidden>10</small>
        </BarButton>
        <BarButton label={t('player.mute')} aria-pressed={isSilent} onClick={toggleMute}>
          {isSilent ? <VolumeX size={20} aria-hidden /> : <Volume2 size={20} aria-hidden />}
        </BarButton>
        <input
          type="range"
          data-volume=""
          dir="ltr"
          min={0}
          max={1}
          step={0.1}
          value={choices.isMuted ? 0 : choices.volume}
          aria-label={t('player.volume')}
          aria-valuetext={volumeText(language, control)}
          onChange={({ target }) => setVolume(target.valueAsNumber, false)}
          className="player-volume"
        />
        <p dir="ltr" className="player-time">
          {clockText(state.position)} {state.length > 0 ? <span>/ {clockText(state.length)}</span> : null}
        </p>
        <Choices
          label={t('player.settings', { speed: speedText(language, choices.speed) })}
          groups={isSmall === undefined ? [speedGroup] : [speedGroup, qualityGroup]}
        >
          {speedText(language, choices.speed)}
        </Choices>
        {languages.length > 0 ? (
          <Choices label={subtitlesText(t, subtitle)} groups={[subtitleGroup]} isOn={subtitle !== 'off'}>
            <Captions size={20} aria-hidden />
            {subtitle === 'off' ? null : <small aria-hidden>{subtitle}</small>}
          </Choices>
        ) : null}
        <BarButton
          label={t('player.fullScreen')}
          aria-pressed={fullScreen.isFull}
          onClick={fullScreen.toggleFullScreen}
        >
          {fullScreen.isFull ? <Minimize size={20} aria-hidden /> : <Maximize size={20} aria-hidden />}
        </BarButton>
      </div>
    </div>
  )
}

/**
 * The time track of a video: the played part, and behind it the loaded part. Time runs from left to right in
 * every script.
 */
function SeekBar({ control: { state, seekPosition: seek } }: { control: MediaControl }) {
  const t = useT()
  const { position, length, loadedSeconds: loadedTo } = state
  const computeShare = (seconds: number) => (length > 0 ? `${Math.min(100, (seconds / length) * 100)}%` : '0%')
  return (
    <input
      type="range"
      dir="ltr"
      min={0}
      max={Math.max(length, 0.1)}
      step="any"
      value={Math.min(position, length)}
      aria-label={t('player.position')}
      aria-valuetext={positionText(t, position, length)}
      onChange={({ target }) => seek(target.valueAsNumber)}
      className="player-seek"
      style={{ '--played': computeShare(position), '--loaded': computeShare(Math.max(position, loadedTo)) }}
    />
  )
}
