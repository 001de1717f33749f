/** The allowed next states of a course as buttons, and what prevents publishing. */
import { type Entry, isLocale, type Locale, localeNames, resources, type Transition } from '@dala/model'
import type { Outline } from '@dala/model/api/learning'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Archive from 'lucide-react/icons/archive'
import CircleCheck from 'lucide-react/icons/circle-check'
import FilePen from 'lucide-react/icons/file-pen'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { editAddress } from '../../resource/screen-address.ts'
import { useMay } from '../../resource/use-may.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { AddLesson } from './outline/add-links.tsx'
import { outlineQuery } from './outline/api.ts'
import { lessonsOf } from './outline/tree.ts'
import { courseScreen, lessonScreen } from './screens.ts'

const { courses } = resources
type State = (typeof courses.fields.state.values)[number]

/** Allowed next states of a course. */
function nextStates(state: unknown): State[] {
  const transitions: readonly Transition<State>[] = courses.fields.state.transitions
  return transitions.filter(({ from }) => from === state).map(({ to }) => to)
}

const icons = { published: CircleCheck, draft: FilePen, archived: Archive } as const

/** Reads from the server's refusal which parts of a course are missing. */
function missingIn(error: unknown): { locale: Locale; what: 'title' | 'lesson' }[] {
  if (!(error instanceof ApiError) || error.code !== 'course.not-ready') return []
  const missing: unknown[] = Array.isArray(error.details['missing']) ? error.details['missing'] : []
  return missing.flatMap((item) => {
    if (typeof item !== 'object' || item === null || !('locale' in item) || !('what' in item)) return []
    const { locale, what } = item
    return isLocale(locale) && (what === 'title' || what === 'lesson') ? [{ locale, what }] : []
  })
}

export function CourseSteps({ record }: { record: Entry }) {
  const t = useT()
  const may = useMay(courses)
  const cache = useQueryClient()
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const step = useMutation({
    meta: { inPlace: true },
    mutationFn: (state: State) => resourceQueries(courses).update(record.id, { state, version: record.version }),
    onSuccess: () => showToast({ kind: 'success', title: t('message.updated', { resource: t('courses.one') }) }),
    onError: (error) => setRefusal(error instanceof ApiError ? error : new ApiError(0, undefined, 'network')),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  if (!may('update')) return null
  const labels = {
    published: t('action.publish'),
    draft: t(record.state === 'published' ? 'action.unpublish' : 'learning.toDraft'),
    archived: t('action.archive'),
  }
  return (
    <>
      {nextStates(record.state).map((state) => {
        const Icon = icons[state]
        return (
          <Button
            key={state}
            kind={state === 'published' ? 'primary' : 'plain'}
            icon={<Icon size={16} aria-hidden />}
            busy={step.isPending && step.variables === state}
            // The other buttons of the course are disabled until its new state is shown.
            disabled={step.isPending && step.variables !== state && t('form.isSaving')}
            onClick={() => step.mutate(state)}
          >
            {labels[state]}
          </Button>
        )
      })}
      <Refusal record={record} error={refusal} onClose={() => setRefusal(null)} />
    </>
  )
}

function Refusal({ record, error, onClose }: { record: Entry; error: ApiError | null; onClose: () => void }) {
  const t = useT()
  const reader = useLocale()
  const missing = missingIn(error)
  const { data: outline } = useQuery({ ...outlineQuery(record.id, reader), enabled: missing.length > 0 })
  const title = missing.length > 0 ? t('error.course.notReady', { count: missing.length }) : t('error.unknown.title')
  return (
    <Dialog
      open={error !== null}
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={missing.length === 0 && error ? failureText(error, t('error.network.message')) : null}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      {missing.length > 0 ? (
        <ul className="grid gap-3.5">
          {missing.map(({ locale, what }) => (
            <li key={`${locale}-${what}`}>
              <p>
                {t(what === 'title' ? 'error.course.noTitle' : 'error.course.noLesson', {
                  locale: localeNames[locale],
                })}
              </p>
              {what === 'title' ? (
                <Link
                  to={editAddress(courseScreen, record.id).to}
                  search={{ lang: locale }}
                  className={linkClass}
                  onClick={onClose}
                >
                  {t('learning.writeTitle')}
                </Link>
              ) : outline ? (
                <NextSteps course={record.id} outline={outline} locale={locale} onClose={onClose} />
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </Dialog>
  )
}

const failureText = (error: ApiError, network: string) => (error.status > 0 ? messageOfError(error) : network)

const linkClass =
  'inline-flex min-h-6 items-center font-semibold text-brand-text wrap-anywhere hover:underline pointer-coarse:min-h-11'

interface NextStepsProps {
  course: number
  outline: Outline
  locale: Locale
  onClose: () => void
}

/**
 * Links to the first lesson that could be shown in the language, in its form; without any lesson, to a new
 * one.
 */
function NextSteps({ course, outline, locale, onClose }: NextStepsProps) {
  const t = useT()
  const visibleOutline = { ...outline, groups: outline.groups.filter(({ state }) => state === 'visible') }
  const lesson = lessonsOf(visibleOutline).find(({ state }) => state === 'visible') ?? lessonsOf(outline)[0]
  if (!lesson) return <AddLesson course={course} outline={outline} />
  const { to, search } = editAddress(lessonScreen, lesson.id)
  return (
    <Link to={to} search={{ ...search, lang: locale }} className={linkClass} onClick={onClose}>
      {t('learning.openLesson', { name: lesson.title })}
    </Link>
  )
}
