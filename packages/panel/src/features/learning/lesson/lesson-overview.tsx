/** The page of a lesson as learners see it (e-learning §6), with the actions of its author. */
import { type Entry, isLocale, type Locale, localeNames, locales, resources } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Languages from 'lucide-react/icons/languages'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { meQuery } from '../../../api/session.ts'
import { FieldDisplay } from '../../../fields/field-display.tsx'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import type { OverviewSlots } from '../../../resource/screen-parts.ts'
import { useMay } from '../../../resource/use-may.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { durationText } from '../lengths.ts'
import { courseScreen } from '../screens.ts'
import { LessonForLearner } from './learner.tsx'
import { LessonPreview } from './preview.tsx'

const { lessons } = resources

export const lessonOverview: OverviewSlots = {
  Overview: LessonPage,
  Line: LessonLine,
  Actions: LessonActions,
  editLabel: 'learning.backToEditing',
}

/** The language of the preview: from the address, otherwise the user's. */
function usePreviewLanguage(): [Locale, (locale: Locale) => void] {
  const reader = useLocale()
  const navigate = useNavigate()
  const { lang }: { lang?: unknown } = useSearch({ strict: false })
  const change = (locale: Locale) =>
    void navigate({
      to: '.',
      search: (formerSearch: object) => ({ ...formerSearch, lang: locale }),
      replace: true,
      resetScroll: false,
    })
  return [isLocale(lang) ? lang : reader, change]
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

/** Returns the course of a lesson, if the response contains it. */
export const courseOf = (lesson: Entry): Entry | undefined => (isEntry(lesson.course) ? lesson.course : undefined)

function LessonLine({ record }: { record: Entry }) {
  const t = useT()
  const may = useMay(lessons)
  const course = courseOf(record)
  const minutes = typeof record.duration_minutes === 'number' ? record.duration_minutes : 0
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {course ? (
        <Link
          {...recordAddress(courseScreen, course.id)}
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
      {may('update') ? (
        <span>
          <FieldDisplay resource={lessons} name="state" value={record.state} />
        </span>
      ) : null}
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
  // In the preview of an author, the languages are beside the widths.
  if (!may('update')) {
    return (
      <Select
        variant="filter"
        aria-label={t('learning.lessonLanguage')}
        icon={<Languages size={16} aria-hidden />}
        value={language}
        onValueChange={setLanguage}
        choices={locales.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
        className="md:min-w-[184px]"
      />
    )
  }
  return (
    <Button
      icon={isVisible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
      isBusy={show.isPending}
      onClick={() => show.mutate()}
    >
      {t(isVisible ? 'learning.hide' : 'learning.show')}
    </Button>
  )
}

/** The page of a lesson: the draft for users who may change it, the published lesson for learners. */
function LessonPage({ record }: { record: Entry }) {
  const [language, setLanguage] = usePreviewLanguage()
  const { data: me } = useQuery(meQuery)
  const may = useMay(lessons)
  if (!me) return null
  const course = courseOf(record)
  return may('update') ? (
    <LessonPreview record={record} course={course} language={language} onLanguage={setLanguage} />
  ) : (
    // Another lesson, or another language of the lesson, gets its own component, which records its own
    // progress.
    <LessonForLearner key={record.id} record={record} course={course} language={language} />
  )
}
