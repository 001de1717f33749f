/** The page of a lesson as learners see it (e-learning §6), with the actions of its author. */
import { type Entry, isLocale, type Locale, localeNames, locales, resources } from '@dala/model'
import type { OutlineLesson } from '@dala/model/api/learning'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Info from 'lucide-react/icons/info'
import Languages from 'lucide-react/icons/languages'
import { useState } from 'react'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { FieldDisplay } from '../../../fields/field-display.tsx'
import { cx } from '../../../lib/class-names.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { seenAddress } from '../../../resource/screen-address.ts'
import type { OverviewSlots } from '../../../resource/screen-parts.ts'
import { useMay } from '../../../resource/use-may.ts'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { durationText } from '../lengths.ts'
import { Attachments } from './attachments.tsx'
import { LessonBody } from './body.tsx'
import { LessonOutline } from './lesson-outline.tsx'
import { idIn, textsOf } from './texts.ts'
import { outlineQuery } from '../outline/api.ts'
import { neighboursOf } from '../outline/tree.ts'
import { courseScreen, useLessonAddress } from '../screens.ts'

const { lessons } = resources

export const lessonOverview: OverviewSlots = { Overview: LessonPage, Line: LessonLine, Actions: LessonActions }

/** The language of the preview: from the address, otherwise the user's. */
function usePreviewLanguage(): [Locale, (locale: Locale) => void] {
  const reader = useLocale()
  const navigate = useNavigate()
  const { lang }: { lang?: unknown } = useSearch({ strict: false })
  const change = (locale: Locale) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, lang: locale }),
      replace: true,
      resetScroll: false,
    })
  return [isLocale(lang) ? lang : reader, change]
}

/** Widths at which an author sees the lesson. */
const widths = ['computer', 'phone'] as const

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

/** Course of a lesson. */
export const courseOf = (lesson: Entry): Entry | undefined => (isEntry(lesson.course) ? lesson.course : undefined)

function LessonLine({ record }: { record: Entry }) {
  const t = useT()
  const course = courseOf(record)
  const minutes = typeof record.duration_minutes === 'number' ? record.duration_minutes : 0
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {course ? (
        <Link
          {...seenAddress(courseScreen, course.id)}
          className="inline-flex min-h-6 items-center text-brand-text hover:underline pointer-coarse:min-h-11"
        >
          {t('learning.ofCourse', { name: String(course.title) })}
        </Link>
      ) : null}
      {isEntry(record.lessongroup) ? (
        <span>
          <FieldDisplay resource={lessons} name="lessongroup" value={record.lessongroup} />
        </span>
      ) : null}
      {record.kind === 'multi' ? <span>{t('learning.inParts')}</span> : null}
      <span>
        <FieldDisplay resource={lessons} name="state" value={record.state} />
      </span>
      <span>{durationText(t, minutes)}</span>
    </span>
  )
}

function LessonActions({ record }: { record: Entry }) {
  const t = useT()
  const may = useMay(lessons)
  const cache = useQueryClient()
  const [language, setLanguage] = usePreviewLanguage()
  const isVisible = record.state === 'visible'
  const show = useMutation({
    mutationFn: () => resourceQueries(lessons).update(record.id, { state: isVisible ? 'hidden' : 'visible' }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  return (
    <>
      <Select
        variant="filter"
        aria-label={t('learning.lessonLanguage')}
        icon={<Languages size={16} aria-hidden />}
        value={language}
        onValueChange={setLanguage}
        choices={locales.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
        className="md:min-w-[184px]"
      />
      {may('update') ? (
        <Button
          icon={isVisible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
          busy={show.isPending}
          onClick={() => show.mutate()}
        >
          {t(isVisible ? 'learning.hide' : 'learning.show')}
        </Button>
      ) : null}
    </>
  )
}

function LessonPage({ record }: { record: Entry }) {
  const t = useT()
  const [language] = usePreviewLanguage()
  const may = useMay(lessons)
  const course = courseOf(record)
  const texts = textsOf(record, language)
  const [width, setWidth] = useState<(typeof widths)[number]>('computer')
  const isPhone = width === 'phone'
  return (
    <>
      {may('update') ? (
        <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2.5 rounded-2 bg-info-soft px-4 py-3 text-info-text">
          <p className="flex flex-1 items-start gap-2.5">
            <Info size={18} aria-hidden className="mt-0.5 shrink-0" />
            {t('learning.preview')}
          </p>
          <Segmented
            label={t('learning.width')}
            value={width}
            onValueChange={setWidth}
            segments={widths.map((value) => ({ value, label: t(`learning.width.${value}`) }))}
            className="max-md:hidden"
          />
        </div>
      ) : null}
      <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div
          className={cx(
            'grid min-w-0 gap-5',
            isPhone && 'mx-auto w-full max-w-[330px] rounded-3 border border-line-strong p-3',
          )}
        >
          <LessonBody texts={texts} language={language} />
          <Attachments record={record} language={language} />
          {course ? <Neighbours course={course.id} record={record} language={language} /> : null}
        </div>
        {course ? <LessonOutline course={course.id} record={record} language={language} /> : null}
      </div>
    </>
  )
}

function Neighbours({ course, record, language }: { course: number; record: Entry; language: Locale }) {
  const t = useT()
  const { data: outline } = useQuery(outlineQuery(course, language))
  const { previous, next } = outline ? neighboursOf(outline, idIn(record, language)) : {}
  if (!previous && !next) return null
  return (
    <nav aria-label={t('learning.outline')} className="grid gap-3 md:grid-cols-2">
      {previous ? <Neighbour lesson={previous} language={language} label={t('learning.previousLesson')} /> : null}
      {next ? <Neighbour lesson={next} language={language} label={t('learning.nextLesson')} end /> : null}
    </nav>
  )
}

interface NeighbourProps {
  lesson: OutlineLesson
  language: Locale
  label: string
  end?: boolean
}

function Neighbour({ lesson, language, label, end = false }: NeighbourProps) {
  const lessonAddress = useLessonAddress(language)
  const Icon = end ? ArrowRight : ArrowLeft
  return (
    <Sheet className={end ? 'md:col-start-2' : ''}>
      <Link
        {...lessonAddress(lesson.id)}
        className={`flex min-h-14 items-center gap-3 rounded-3 px-4 py-2.5 hover:bg-hover ${end ? 'flex-row-reverse text-end' : ''}`}
      >
        <Icon size={18} aria-hidden className="mirrored shrink-0 text-muted" />
        <span className="min-w-0">
          <span className="block text-sm text-muted">{label}</span>{' '}
          <span lang={lesson.locale} className="font-semibold wrap-anywhere">
            {lesson.title}
          </span>
        </span>
      </Link>
    </Sheet>
  )
}
