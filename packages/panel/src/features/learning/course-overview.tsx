/** The page of a course: its picture, state, numbers and description, and its outline. */
import { type Entry, isLocale, resources } from '@dala/model'
import { Link, Navigate } from '@tanstack/react-router'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import ListOrdered from 'lucide-react/icons/list-ordered'
import { FieldDisplay, labelOf } from '../../fields/field-display.tsx'
import { t, useT } from '../../lib/i18n.ts'
import { narrowQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { languagesOf } from '../../resource/entry-languages.ts'
import type { OverviewSlots } from '../../resource/screen-parts.ts'
import { editAddress, recordAddress } from '../../resource/screen-address.ts'
import { useMay } from '../../resource/use-may.ts'
import { buttonClass } from '../../ui/button.tsx'
import { LanguageCoverage } from '../../ui/language-coverage.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { CourseSteps } from './course-steps.tsx'
import { CoursePicture } from './courses-list.tsx'
import { LessonVideo } from './lesson/video.tsx'
import { CourseWorkspace } from './course-workspace.tsx'
import { useOpenItem } from './open-item.ts'
import { OutlineSheet } from './outline/outline.tsx'
import { duplicateCourse } from './publishing/api.ts'
import { courseScreen, groupScreen, lessonsAddress, lessonScreen, progressAddress } from './screens.ts'

export const courseOverview: OverviewSlots = {
  fillsWindow: true,
  Overview: CoursePage,
  Lead: ({ record }) => <CoursePicture image={record.image} />,
  Line: CourseLine,
  Actions: ({ record }) => <CourseSteps record={record} />,
  duplicate: async (record) => {
    const { data } = await duplicateCourse(record)
    showToast({ kind: 'success', title: t('learning.duplicated') })
    return recordAddress(courseScreen, data.id)
  },
}

function CourseLine({ record }: { record: Entry }) {
  const t = useT()
  const value = (name: string) => <FieldDisplay resource={resources.courses} name={name} value={record[name]} />
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span>{value('state')}</span>
      {record.changed_since_publish === true ? (
        <span className="text-warning-text">{t('learning.changedSince')}</span>
      ) : null}
      {record.coursecategory ? <span>{value('coursecategory')}</span> : null}
      {record.coursetype ? <span>{value('coursetype')}</span> : null}
    </span>
  )
}

/** Authors see the outline beside the open lesson; in a narrow window a lesson opens as its own page. */
function CoursePage({ record }: { record: Entry }) {
  const isNarrow = useMedia(narrowQuery)
  const mayUpdate = useMay(resources.lessons)('update')
  const openItem = useOpenItem()
  const courseTexts = <CourseTexts record={record} />
  if (mayUpdate && !isNarrow)
    return (
      <CourseWorkspace course={record} open={openItem}>
        {courseTexts}
      </CourseWorkspace>
    )
  const language = openItem.language === undefined ? {} : { lang: openItem.language }
  if (mayUpdate && openItem.lesson !== undefined) {
    const { to, search } = editAddress(lessonScreen, Number(openItem.lesson))
    return <Navigate to={to} search={{ ...search, ...language }} replace />
  }
  if (mayUpdate && openItem.group !== undefined) {
    const { to, search } = editAddress(groupScreen, Number(openItem.group))
    return <Navigate to={to} search={{ ...search, ...language }} replace />
  }
  return (
    <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
      <OutlineSheet course={record.id} opensForms={mayUpdate} />
      {courseTexts}
    </div>
  )
}

function CourseTexts({ record }: { record: Entry }) {
  const t = useT()
  const may = useMay(resources.courses)
  const lang = isLocale(record.locale) ? record.locale : undefined
  const description = typeof record.description === 'string' ? record.description : ''
  const video = typeof record.videourl === 'string' ? record.videourl : ''
  return (
    <aside className="grid content-start gap-5">
      <Sheet hasPadding className="grid gap-4">
        <h2 className="text-lg font-semibold">{t('learning.course.detail')}</h2>
        {video ? <LessonVideo key={video} address={video} title={String(record.title)} /> : null}
        {description ? (
          <RichText html={description} lang={lang} />
        ) : (
          <p className="text-muted">{t('empty.notSpecified')}</p>
        )}
      </Sheet>
      <Sheet hasPadding className="grid gap-3.5">
        <CourseDetails record={record} />
        <LanguageCoverage availableLocales={languagesOf(record)} />
        <Link to={lessonsAddress(record.id)} className={buttonClass('plain')}>
          <ListOrdered size={16} aria-hidden />
          {t('learning.allLessons')}
        </Link>
        {may('update') ? (
          <Link to={progressAddress(record.id)} className={buttonClass('plain')}>
            <ChartNoAxesColumn size={16} aria-hidden />
            {t('learning.progressPage')}
          </Link>
        ) : null}
      </Sheet>
    </aside>
  )
}

function CourseDetails({ record }: { record: Entry }) {
  const { courses } = resources
  const names = ['author', 'tags', 'in_order', 'published_at', 'updatedAt'] as const
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,200px),1fr))] gap-x-6 gap-y-2.5">
      {names.map((name) => {
        const value = record[name]
        if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return null
        return (
          <div key={name}>
            <dt className="text-sm text-muted">{labelOf(courses, name)}</dt>
            <dd>
              <FieldDisplay resource={courses} name={name} value={value} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
