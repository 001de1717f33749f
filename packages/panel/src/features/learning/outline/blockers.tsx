/** The last line of an outline: lessons that block publishing, and the keys that move rows. */
import { localeNames } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { formatList } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { checkQuery } from '../publishing/api.ts'
import { lessonInCourse } from '../screens.ts'

interface BlockersProps {
  course: number
  /** Id of the open lesson: the link leads to the next lesson with a problem. */
  current: number | undefined
  showsKeys: boolean
}

export function Blockers({ course, current, showsKeys }: BlockersProps) {
  const t = useT()
  const { data: check } = useQuery(checkQuery(course))
  const problems = check?.errors.flatMap(({ lesson, locale }) => (lesson === null ? [] : [{ lesson, locale }])) ?? []
  const nextProblem = problems[(problems.findLastIndex(({ lesson }) => lesson === current) + 1) % problems.length]
  const languages = [...new Set(problems.map(({ locale }) => localeNames[locale]))]
  if (!nextProblem && !showsKeys) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm max-md:px-3">
      {nextProblem ? (
        <Link
          {...lessonInCourse(course, nextProblem.lesson, nextProblem.locale)}
          className="inline-flex min-h-6 flex-1 items-center gap-2 hover:underline pointer-coarse:min-h-11"
        >
          <CircleAlert size={16} aria-hidden className="shrink-0 text-danger-text" />
          {t('learning.blocked', {
            count: new Set(problems.map(({ lesson }) => lesson)).size,
            languages: formatList(t, languages),
          })}
        </Link>
      ) : null}
      {showsKeys ? (
        <span className="ms-auto flex items-center gap-2 text-muted max-md:hidden pointer-coarse:hidden">
          <span className="sr-only">{t('learning.moveHint')}</span>
          <span aria-hidden className="flex items-center gap-2">
            <KeyCaps caps={['Alt', '↑', '↓']} />
            {t('learning.moveKeys')}
          </span>
        </span>
      ) : null}
    </div>
  )
}
