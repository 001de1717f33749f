/**
 * Plays a video file with the panel's own controls: the same in every browser, with subtitles, speeds and a
 * smaller file, and usable by keyboard and screen reader.
 */
import type { Locale } from '@dala/model'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useStable } from '../../../../lib/hooks/use-stable.ts'
import { useT } from '../../../../lib/i18n.ts'
import { firstSubtitles, isWeakConnection, readChoices } from './choices.ts'
import { Controls } from './controls.tsx'
import { SubtitleCues } from './cues.tsx'
import { PlayerFailure } from './failure.tsx'
import { actionOfKey, type AnnouncedState } from './keys.ts'
import { VideoElement, type Subtitles } from './media.tsx'
import { stateTexts } from './state-texts.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useIdle } from './use-idle.ts'
import { useMedia } from './use-media.ts'
import type { Playback } from './watched.ts'
import './player.css'

export interface PlayerProps {
  title: string
  /** Addresses of the video file and of a smaller one for weak connections. */
  file: string
  small?: string | null | undefined
  poster?: string | null | undefined
  /** Subtitles of the video, those of the wanted language first. */
  subtitles?: readonly Subtitles[]
  /** Language of the lesson, and the language spoken in the video where it differs. */
  language: Locale
  spokenLocale?: Locale
  /** Mark on the video, for example that its language differs from that of the lesson. */
  mark?: ReactNode
  /** Second at which the video starts; a changed value moves the video there. */
  startSecond?: number
  onPlayback?: (event: Playback) => void
  /** Content that covers the video when it has ended. */
  end?: ReactNode
}

const noSubtitles: readonly Subtitles[] = []

export function Player({
  title,
  file,
  small,
  poster,
  subtitles = noSubtitles,
  language,
  spokenLocale: soundLocale = language,
  mark,
  startSecond: startAt = 0,
  onPlayback,
  end,
}: PlayerProps) {
  const t = useT()
  const box = useRef<HTMLElement>(null)
  // The smaller file is played by an earlier choice, else by the connection; other players do not change a
  // running video.
  const [isSmall, setSmall] = useState(() => readChoices().isSmall ?? isWeakConnection())
  const playsSmall = Boolean(small) && isSmall
  const languages = useMemo(() => subtitles.map(({ locale }) => locale), [subtitles])
  const [shownSubtitles, setSubtitles] = useState<Locale | 'off'>()
  const source = playsSmall && small ? small : file
  const control = useMedia({
    source,
    onPlayback,
  })
  const { media, state, choices, choose, handlers, reloadMedia: reload, seekPosition: seek, togglePlay } = control
  const subtitle = shownSubtitles ?? firstSubtitles(languages, language, soundLocale, choices.subtitles)
  const fullScreen = useFullScreen(box, media)
  const isIdle = useIdle(box, state.isPlaying)

  const formerStart = useRef(0)
  useEffect(() => {
    if (startAt === formerStart.current) return
    formerStart.current = startAt
    seek(startAt)
  }, [startAt, seek])
  useEffect(() => {
    if (state.failure !== 'broken') return
    const retry = () => reload(() => undefined)
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [state.failure, reload])

  const chooseSubtitles = (value: Locale | 'off') => {
    setSubtitles(value)
    choose({ subtitles: value })
  }
  const chooseQuality = (value: boolean) => {
    if (value === playsSmall) return
    choose({ isSmall: value })
    reload(() => setSmall(value))
  }
  const announcer = useRef<HTMLOutputElement>(null)
  const [announcement, setAnnounced] = useState<{ state: AnnouncedState }>()
  const describe = useEffectEvent((changedState: AnnouncedState) =>
    stateTexts[changedState](t, { control, language, subtitle }),
  )
  // The position at the press is announced once: it changes while the video plays.
  useEffect(() => {
    if (announcement && announcer.current) announcer.current.textContent = describe(announcement.state)
  }, [announcement])
  const handleKey = useStable((event: KeyboardEvent) => {
    const action = event.defaultPrevented ? undefined : actionOfKey(event)
    if (!action) return
    event.preventDefault()
    // The event stops here, because lists of the panel use some of the player's keys too.
    event.stopPropagation()
    action.act({
      ...control,
      toggleFullScreen: fullScreen.toggleFullScreen,
      toggleSubtitles: () => {
        const [firstLanguage] = languages
        if (firstLanguage) chooseSubtitles(subtitle === 'off' ? firstLanguage : 'off')
      },
    })
    // A slider with the focus announces its own value.
    const isOwn = event.target instanceof HTMLElement && event.target.matches('[type="range"]')
    if (action.announcedState && !isOwn) setAnnounced({ state: action.announcedState })
  })
  useEffect(() => {
    const element = box.current
    element?.addEventListener('keydown', handleKey)
    return () => element?.removeEventListener('keydown', handleKey)
  }, [handleKey])
  return (
    <section
      ref={box}
      aria-label={t('player.region', { title })}
      className="player"
      data-idle={isIdle || undefined}
      data-full={fullScreen.isFull || undefined}
    >
      <VideoElement
        ref={media}
        src={source}
        {...(poster && { poster })}
        preload="metadata"
        playsInline
        aria-label={title}
        subtitles={subtitles}
        onClick={() => {
          togglePlay()
          // The player gets the focus when the user presses the video, so that its keys work.
          box.current?.querySelector<HTMLElement>('.player-button')?.focus({ preventScroll: true })
        }}
        {...handlers}
      />
      {mark ? <p className="player-mark">{mark}</p> : null}
      {subtitle === 'off' ? null : <SubtitleCues media={media} locale={subtitle} />}
      {state.isWaiting && !state.failure ? <output className="player-wait" aria-label={t('player.loading')} /> : null}
      {state.failure ? <PlayerFailure failure={state.failure} onRetry={() => reload(() => undefined)} /> : null}
      {state.isEnded && end ? <div className="player-end">{end}</div> : null}
      <output ref={announcer} className="sr-only" />
      <Controls
        control={control}
        language={language}
        languages={languages}
        subtitle={subtitle}
        onSubtitle={chooseSubtitles}
        isSmall={small ? playsSmall : undefined}
        onQuality={chooseQuality}
        fullScreen={fullScreen}
      />
    </section>
  )
}
