/** The draft of a lesson as learners would see it, in any language and at two widths. Records no progress. */
import { type Entry, type Locale, localeNames, locales } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Columns2 from 'lucide-react/icons/columns-2'
import Eye from 'lucide-react/icons/eye'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { useT } from '../../../lib/i18n.ts'
import { editAddress } from '../../../resource/screen-address.ts'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { lessonScreen } from '../screens.ts'
import { LanguageScope } from './in-language.tsx'
import { LearnerPage, type LearnerPageProps } from './learner-page.tsx'
import { previewOutlineQuery } from './progress/api.ts'
import { textsOf } from './texts.ts'

/** Widths at which an author sees the lesson. */
const widths = [
  { value: 'computer', Icon: Monitor },
  { value: 'phone', Icon: Smartphone },
  { value: 'both', Icon: Columns2 },
] as const

interface LessonPreviewProps {
  record: Entry
  course: Entry | undefined
  language: Locale
  onLanguage: (language: Locale) => void
}

export function LessonPreview({ record, course, language, onLanguage }: LessonPreviewProps) {
  const t = useT()
  const isPhoneWindow = useMedia(phoneQuery)
  const [chosenWidth, setWidth] = useState<(typeof widths)[number]['value']>('computer')
  // On a phone the preview has only the width of the window.
  const width = isPhoneWindow ? 'computer' : chosenWidth
  const outline = useQuery({
    ...previewOutlineQuery(course?.id ?? 0, language),
    enabled: course !== undefined,
  })
  const page: LearnerPageProps = {
    record,
    course,
    language,
    outline: outline.data,
    onRetry: outline.isError ? () => void outline.refetch() : undefined,
    progress: undefined,
    onProgress: undefined,
    isPreview: true,
  }
  return (
    <div className="mb-8 grid gap-4">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2.5">
        <p className="flex flex-1 items-center gap-3">
          <Eye size={20} aria-hidden className="shrink-0 text-brand-text" />
          <span>
            <span className="block font-semibold">{t('learning.asLearner')}</span>
            <span className="text-sm text-muted">{t('learning.asLearnerText')}</span>
          </span>
        </p>
        <SegmentedControl
          label={t('learning.lessonLanguage')}
          value={language}
          onValueChange={onLanguage}
          segments={locales.map((locale) => ({
            value: locale,
            label: `${localeNames[locale]}, ${locale}`,
            icon: <span lang={locale}>{locale}</span>,
          }))}
        />
        <SegmentedControl
          label={t('learning.width')}
          value={width}
          onValueChange={setWidth}
          segments={widths.map(({ value, Icon }) => ({
            value,
            label: t(`learning.width.${value}`),
            icon: <Icon size={18} aria-hidden />,
          }))}
          className="max-md:hidden"
        />
      </div>
      <BorrowedVideo record={record} language={language} />
      <LanguageScope language={language}>
        <div className={cx('grid items-start gap-6', width === 'both' && 'lg:grid-cols-[minmax(0,1fr)_330px]')}>
          {width === 'phone' ? null : <LearnerPage {...page} />}
          {width === 'computer' ? null : (
            <div className="mx-auto w-full max-w-[330px]">
              <LearnerPage {...page} isPhone />
            </div>
          )}
        </div>
      </LanguageScope>
    </div>
  )
}

/** Notice that the video is in another language than the lesson, with the link to the upload of a video. */
function BorrowedVideo({ record, language }: { record: Entry; language: Locale }) {
  const t = useT()
  const { title, video, own } = textsOf(record, language)
  if (!video || video.locale === language || title.locale !== language) return null
  const isSubtitled = own?.subtitles.some(({ locale }) => locale === language)
  const [wantedLanguage, spokenLanguage] = [t(`learning.in.${language}`), t(`learning.in.${video.locale}`)]
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-2 bg-warning-soft px-4 py-2.5">
      <p className="flex flex-1 items-start gap-2.5">
        <TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-warning-text" />
        <span>
          <b className="font-semibold">{t('learning.noOwnVideo', { wanted: wantedLanguage })}</b>{' '}
          {t(isSubtitled ? 'learning.borrowedVideoSubtitled' : 'learning.borrowedVideo', {
            wanted: wantedLanguage,
            spoken: spokenLanguage,
          })}
        </span>
      </p>
      <Link
        {...editAddress(lessonScreen, record.id)}
        className="inline-flex min-h-6 items-center font-semibold text-warning-text hover:underline pointer-coarse:min-h-11"
      >
        {t('learning.uploadVideo')}
      </Link>
    </div>
  )
}
