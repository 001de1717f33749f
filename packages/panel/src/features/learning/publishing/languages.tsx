/** Languages of a course with their missing contents, to choose those that are published. */
import { type Locale, localeNames } from '@dala/model'
import type { CourseCheck, CourseProblem } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useT } from '../../../lib/i18n.ts'
import { editAddress } from '../../../resource/screen-address.ts'
import { courseScreen, lessonInCourse } from '../screens.ts'

interface LanguagesProps {
  course: number
  check: CourseCheck
  chosen: ReadonlySet<Locale>
  onChoose: (locale: Locale, isChosen: boolean) => void
  /** Called when the user follows a link to a lesson, which must close the publish dialog. */
  onLeave: () => void
}

/** Maximum number of problems of a language that are listed. */
const maxListedProblems = 6

export function Languages({ course, check, chosen, onChoose, onLeave }: LanguagesProps) {
  const t = useT()
  return (
    <fieldset>
      <legend className="w-full border-b border-line pb-2.5 font-semibold">{t('learning.readiness')}</legend>
      {check.languages.map(({ locale, lessons, visible, published }) => {
        const errors = check.errors.filter((problem) => problem.locale === locale)
        const warnings = check.warnings.filter((problem) => problem.locale === locale)
        const problems = [...errors, ...warnings]
        return (
          <div key={locale} className="border-b border-line py-3 last:border-b-0">
            <label className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:min-h-11">
              <input
                type="checkbox"
                className="check shrink-0"
                checked={chosen.has(locale)}
                disabled={errors.length > 0}
                onChange={(event) => onChoose(locale, event.target.checked)}
              />
              <span lang={locale} className="font-semibold">
                {localeNames[locale]}
              </span>
              <ReadinessLabel errors={errors.length} warnings={warnings.length} />
            </label>
            <p className="ps-8 text-sm text-muted">
              {t('learning.lessonsReady', { lessons, visible })}
              {published ? '' : `, ${t('learning.notPublishedYet')}`}
            </p>
            <ul className="ps-8">
              {problems.slice(0, maxListedProblems).map((problem) => (
                <ProblemLine
                  key={`${problem.code}-${problem.lesson}-${problem.file}`}
                  course={course}
                  problem={problem}
                  isError={errors.includes(problem)}
                  onLeave={onLeave}
                />
              ))}
              {problems.length > maxListedProblems ? (
                <li className="text-sm text-muted">
                  {t('learning.moreProblems', { count: problems.length - maxListedProblems })}
                </li>
              ) : null}
            </ul>
          </div>
        )
      })}
    </fieldset>
  )
}

function ReadinessLabel({ errors, warnings }: { errors: number; warnings: number }) {
  const t = useT()
  const [Icon, tone, label] =
    errors > 0
      ? [CircleAlert, 'text-danger-text', t('learning.hasErrors', { count: errors })]
      : warnings > 0
        ? [TriangleAlert, 'text-warning-text', t('learning.hasWarnings', { count: warnings })]
        : [CircleCheck, 'text-success-text', t('learning.isReady')]
  return (
    <span className={`ms-auto inline-flex items-center gap-1.5 text-sm font-medium ${tone}`}>
      <Icon size={16} aria-hidden />
      {label}
    </span>
  )
}

const labels = {
  'course.no-title': 'learning.problem.noTitle',
  'course.no-lesson': 'learning.problem.noLesson',
  'lesson.empty': 'learning.problem.empty',
  'lesson.file-missing': 'learning.problem.fileMissing',
  'lesson.upload-running': 'learning.problem.uploadRunning',
  'lesson.untranslated': 'learning.problem.untranslated',
  'lesson.outdated': 'learning.problem.outdated',
  'lesson.video-unreachable': 'learning.problem.videoUnreachable',
} as const

interface ProblemProps {
  course: number
  problem: CourseProblem
  isError: boolean
  onLeave: () => void
}

function ProblemLine({ course, problem: { lesson, title, locale, code, file = '' }, isError, onLeave }: ProblemProps) {
  const t = useT()
  const form = editAddress(courseScreen, course)
  const address =
    lesson === null ? { ...form, search: { ...form.search, lang: locale } } : lessonInCourse(course, lesson, locale)
  const Icon = isError ? CircleAlert : TriangleAlert
  const text = t(labels[code], { name: title, file })
  return (
    <li className="flex items-start gap-2 text-sm">
      <Icon size={14} aria-hidden className={`mt-1 shrink-0 ${isError ? 'text-danger-text' : 'text-warning-text'}`} />
      <Link
        {...address}
        onClick={onLeave}
        className="inline-flex min-h-6 items-center wrap-anywhere hover:underline pointer-coarse:min-h-11"
      >
        {text}
      </Link>
    </li>
  )
}
