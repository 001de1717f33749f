/** The progress of the learners of a course: figures, lessons, watch curves and learners (e-learning §6). */
import { type Entry, localeNames, locales, resources, type Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ListTree from 'lucide-react/icons/list-tree'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { languageOf, resourceQueries } from '../../../api/resource-queries.ts'
import { namingFields, useTitleOf } from '../../../fields/field-display.tsx'
import { cx } from '../../../lib/class-names.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useNameRecord } from '../../../lib/record-name.ts'
import { entryInLanguage } from '../../../resource/entry-languages.ts'
import { RecordDenied, RecordLoading, useRecord } from '../../../resource/record/record-state.tsx'
import { recordAddress } from '../../../resource/screen-address.ts'
import { useMay } from '../../../resource/use-may.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { DelayedContent } from '../../../ui/feedback/skeleton.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { courseScreen } from '../screens.ts'
import { statisticsQuery } from './api.ts'
import { CurveSheet } from './curve.tsx'
import { Figures, FiguresLoading } from './figures.tsx'
import { LearnerFunnel } from './funnel.tsx'
import { Learners } from './learners.tsx'
import { type ProgressState, useProgressState } from './progress-search.ts'

export function CourseProgressPage({ index = '0' }: { screen: Screen; index?: string }) {
  const may = useMay(resources.courses)
  const reader = useLocale()
  // A new course has no learners: the address of its progress is treated like that of a missing record.
  const state = useRecord(resources.courses, index === 'new' ? '0' : index, reader)
  if (!may('update')) return <RecordDenied screen={courseScreen} />
  if (!state.record) return <RecordLoading screen={courseScreen} state={state} />
  return <CourseProgress course={entryInLanguage(state.record, reader)} />
}

function CourseProgress({ course }: { course: Entry }) {
  const t = useT()
  const name = useTitleOf(resources.courses)(course)
  const state = useProgressState()
  const title = t('learning.progressOf', { name })
  useDocumentTitle(title)
  useNameRecord(title)
  return (
    <>
      <PageHead
        title={title}
        about={t('learning.progressOf.about')}
        actions={
          <Link {...recordAddress(courseScreen, course.id)} className={buttonClass('plain')}>
            <ListTree size={18} aria-hidden />
            <span data-word="">{t('learning.toOutline')}</span>
          </Link>
        }
      />
      <ProgressOfCourse course={course.id} state={state} />
    </>
  )
}

function ProgressOfCourse({ course, state }: { course: number; state: ProgressState }) {
  const t = useT()
  const { locale, region } = state.search
  const { data, error, isPlaceholderData, refetch } = useQuery(statisticsQuery(course, state.search, useLocale()))
  const isFiltered = locale !== undefined || region !== undefined
  if (error && (!data || isPlaceholderData))
    return (
      <Sheet>
        <FailureState
          title={t('learning.progressOf.failed')}
          text={messageOfFailure(error)}
          {...(error instanceof ApiError && error.status > 0 && { status: error.status })}
          onRetry={() => void refetch()}
        />
      </Sheet>
    )
  if (data?.started === 0 && !isFiltered && !isPlaceholderData)
    return (
      <Sheet>
        <EmptyState title={t('learning.progressOf.nobody')} text={t('learning.progressOf.nobodyText')} />
      </Sheet>
    )
  return (
    <div className="mb-8 grid grid-cols-[minmax(0,1fr)] gap-5">
      <FilterBar state={state} />
      {data ? (
        <div
          aria-busy={isPlaceholderData}
          className={cx(
            'grid grid-cols-[minmax(0,1fr)] gap-5 transition-opacity duration-(--dur-2)',
            isPlaceholderData && 'opacity-60',
          )}
        >
          <Figures figures={data} />
          <output className="text-muted empty:hidden">
            {data.started === 0 && !isPlaceholderData ? t('learning.progressOf.none') : null}
          </output>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[repeat(2,minmax(0,1fr))]">
            <LearnerFunnel figures={data} />
            <CurveSheet figures={data} state={state} />
          </div>
        </div>
      ) : (
        <DelayedContent>
          <FiguresLoading />
        </DelayedContent>
      )}
      <Learners course={course} state={state} />
    </div>
  )
}

const allValue = 'all'

function FilterBar({ state: { search, change } }: { state: ProgressState }) {
  const t = useT()
  const regions = useRegions()
  const languages = locales.map((value) => ({ value, label: localeNames[value] }))
  return (
    <Sheet
      aria-label={t('learning.progressOf.filters')}
      className="flex flex-wrap items-center gap-2.5 px-4 py-3 max-md:px-3.5"
    >
      <Select
        variant="filter"
        aria-label={t('learning.progressOf.language')}
        value={search.locale ?? allValue}
        onValueChange={(value) =>
          change({ locale: languages.find((languageChoice) => languageChoice.value === value)?.value })
        }
        choices={[{ value: allValue, label: t('learning.progressOf.allLanguages') }, ...languages]}
      />
      <Select
        variant="filter"
        aria-label={t('field.region')}
        value={search.region ?? allValue}
        onValueChange={(value) => change({ region: value === allValue ? undefined : value })}
        choices={[{ value: allValue, label: t('prices.allRegions') }, ...regions]}
        className="max-w-[260px]"
      />
    </Sheet>
  )
}

function useRegions() {
  const locale = useLocale()
  const { regions } = resources
  const titleOf = useTitleOf(regions)
  const { data } = useQuery(
    resourceQueries(regions).list({
      ...languageOf(regions, locale),
      fields: namingFields(regions),
      sort: 'order',
      pagination: { pageSize: 100, withCount: false },
    }),
  )
  return (data?.entries ?? []).map((entry) => ({ value: String(entry.id), label: titleOf(entry) }))
}
