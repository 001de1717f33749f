/** The course beside a lesson: the current position, and links to the other lessons. */
import { choiceLabel, type Entry, type Locale, resources } from '@dala/model'
import type { OutlineLesson } from '@dala/model/api/learning'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import EyeOff from 'lucide-react/icons/eye-off'
import ListTree from 'lucide-react/icons/list-tree'
import { cx } from '../../../lib/class-names.ts'
import { tFirst, useT } from '../../../lib/i18n.ts'
import { seenAddress } from '../../../resource/screen-address.ts'
import { buttonClass, LinkButton } from '../../../ui/button.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { idIn } from './texts.ts'
import { outlineQuery } from '../outline/api.ts'
import { courseScreen, useLessonAddress } from '../screens.ts'

interface LessonOutlineProps {
  course: number
  /** Record of the visible lesson. */
  record: Entry
  language: Locale
}

export function LessonOutline({ course, record, language }: LessonOutlineProps) {
  const t = useT()
  const { data: outline, error, refetch } = useQuery(outlineQuery(course, language))
  const currentId = idIn(record, language)
  return (
    <Sheet padded aria-label={t('learning.outline')}>
      <h2 className="mb-2 text-lg font-semibold">{t('learning.outline')}</h2>
      {outline ? (
        <div className="grid gap-4">
          {outline.groups.map((group) => (
            <div key={group.id}>
              <h3 lang={group.locale} className="py-1 text-sm font-medium text-muted wrap-anywhere">
                {group.title}
              </h3>
              <Lessons lessons={group.lessons} currentId={currentId} language={language} />
            </div>
          ))}
          <Lessons lessons={outline.lessons} currentId={currentId} language={language} />
        </div>
      ) : error ? (
        <p role="alert" className="grid justify-items-start gap-1">
          <span className="text-danger-text">{t('learning.outlineFailed')}</span>
          <LinkButton onClick={() => void refetch()}>{t('action.retry')}</LinkButton>
        </p>
      ) : (
        <Delayed>
          <div className="grid gap-3">
            {[0, 1, 2, 3].map((row) => (
              <Skeleton key={row} className="h-5 w-full" />
            ))}
          </div>
        </Delayed>
      )}
      <Link {...seenAddress(courseScreen, course)} className={buttonClass('plain', 'mt-4 w-full')}>
        <ListTree size={16} aria-hidden />
        {t('learning.toOutline')}
      </Link>
    </Sheet>
  )
}

function Lessons({
  lessons,
  currentId,
  language,
}: {
  lessons: readonly OutlineLesson[]
  currentId: number
  language: Locale
}) {
  const lessonAddress = useLessonAddress(language)
  if (lessons.length === 0) return null
  return (
    <ol>
      {lessons.map(({ id, title, locale, state }) => (
        <li key={id}>
          <Link
            {...lessonAddress(id)}
            aria-current={id === currentId ? 'page' : undefined}
            className={cx(
              '-mx-2 flex min-h-9 items-center gap-2 rounded-2 px-2 py-1 wrap-anywhere hover:bg-hover pointer-coarse:min-h-11',
              id === currentId && 'bg-brand-soft font-semibold text-on-brand-soft',
            )}
          >
            <span lang={locale} className="min-w-0 flex-1">
              {title}
            </span>
            {state === 'hidden' ? (
              <>
                <EyeOff size={15} aria-hidden className="shrink-0 text-muted" />
                <span className="sr-only">{tFirst(choiceLabel(resources.lessons, 'state', state))}</span>
              </>
            ) : null}
          </Link>
        </li>
      ))}
    </ol>
  )
}
