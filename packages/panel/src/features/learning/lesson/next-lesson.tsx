/**
 * The link after a lesson, also offered at the end of its video: to the next lesson, or to the certificate.
 */
import { type Locale, scriptOf, writtenLocale } from '@dala/model'
import type { OutlineLesson } from '@dala/model/api/learning'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Award from 'lucide-react/icons/award'
import { useEffect, useState } from 'react'
import { useMedia } from '../../../lib/hooks/use-media.ts'
import { useStable } from '../../../lib/hooks/use-stable.ts'
import { useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { useLessonAddress } from '../screens.ts'
import { clockText } from './player/times.ts'
import { saveCertificate } from './progress/api.ts'

interface NextLessonProps {
  lesson: OutlineLesson
  language: Locale
}

/** Link to the next lesson, with the length of that lesson. */
export function NextLesson({ lesson, language }: NextLessonProps) {
  const t = useT()
  const lessonAddress = useLessonAddress(language)
  const { id, title, locale, duration_s: seconds } = lesson
  return (
    <Link
      {...lessonAddress(id)}
      className="flex min-h-14 items-center gap-4 rounded-2 border border-line-strong px-4 py-2.5 hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="block text-sm text-muted">
          {t('learning.nextLesson')}
          <span className="sr-only">:</span>
        </span>{' '}
        <span lang={locale} className="font-semibold wrap-anywhere">
          {title}
        </span>
      </span>
      {seconds === null ? null : <span className="text-sm text-muted tabular-nums">{clockText(seconds)}</span>}
      <ArrowRight size={18} aria-hidden className="mirrored shrink-0" />
    </Link>
  )
}

/** Seconds after which the next lesson opens by itself. */
const waitSeconds = 10

interface OfferProps extends NextLessonProps {
  /** Whether the next lesson opens by itself after some seconds. */
  isAutomatic: boolean
}

/** Offer of the next lesson, which covers a video that has ended. */
export function NextLessonOffer({ lesson, language, isAutomatic }: OfferProps) {
  const t = useT()
  const navigate = useNavigate()
  const lessonAddress = useLessonAddress(language)
  const reducesMotion = useMedia('(prefers-reduced-motion: reduce)')
  const [secondsLeft, setLeft] = useState(waitSeconds)
  const [isStaying, setStaying] = useState(false)
  const isCounting = isAutomatic && !reducesMotion && !isStaying
  const address = lessonAddress(lesson.id)
  const openLesson = useStable(() => void navigate(address))
  useEffect(() => {
    if (!isCounting) return
    const timer = setTimeout(() => {
      if (secondsLeft > 1) setLeft(secondsLeft - 1)
      else openLesson()
    }, 1_000)
    return () => clearTimeout(timer)
  }, [isCounting, secondsLeft, openLesson])
  if (isStaying) return null
  return (
    <>
      <p aria-live="polite">
        {t('learning.nextLesson')}: <span lang={lesson.locale}>{lesson.title}</span>
        {/* The visible countdown would be announced every second. */}
        {isCounting ? <span className="sr-only">. {t('player.offerIn', { count: waitSeconds })}</span> : null}
      </p>
      {isCounting ? (
        <p aria-hidden className="text-sm tabular-nums">
          {t('player.offerIn', { count: secondsLeft })}
        </p>
      ) : null}
      <span className="flex flex-wrap justify-center gap-2">
        <Link {...address} className="player-text-button">
          {t('player.offerNow')}
        </Link>
        <button type="button" onClick={() => setStaying(true)} className="player-text-button">
          {t('player.offerStay')}
        </button>
      </span>
    </>
  )
}

/** The certificate of a completed course. */
export function Certificate({ course, language }: { course: number; language: Locale }) {
  const t = useT()
  const written = writtenLocale(language, scriptOf(useWrittenLocale()))
  const downloadMutation = useMutation({ mutationFn: () => saveCertificate(course, written) })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-2 bg-success-soft px-4 py-3">
      <p className="flex-1 font-semibold">{t('learning.certificateText')}</p>
      <Button
        icon={<Award size={17} aria-hidden />}
        isBusy={downloadMutation.isPending}
        onClick={() => downloadMutation.mutate()}
      >
        {t('learning.certificate')}
      </Button>
    </div>
  )
}
