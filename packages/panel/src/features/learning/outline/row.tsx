/** One lesson of an outline: position, title, languages and length, and its actions. */
import { localeNames, resources } from '@dala/model'
import type { Outline, OutlineLesson } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Eye from 'lucide-react/icons/eye'
import FolderInput from 'lucide-react/icons/folder-input'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { FieldDisplay } from '../../../fields/field-display.tsx'
import { formatList, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { seenAddress } from '../../../resource/screen-address.ts'
import { LanguageCoverage } from '../../../ui/language-coverage.tsx'
import { durationText, minutesOf } from '../lengths.ts'
import { OutlineMenu } from './menu.tsx'
import type { OutlineActions } from './actions.ts'
import { problemsText } from './problems.ts'
import { TitleInput } from './title-input.tsx'
import { moveLesson } from './tree.ts'
import { lessonScreen } from '../screens.ts'

export interface OutlineRowProps {
  outline: Outline
  lesson: OutlineLesson
  /** Position of the row in its list, from 1. */
  place: number
  actions: OutlineActions
}

export function OutlineRow({ outline, lesson, place, actions }: OutlineRowProps) {
  const reader = useLocale()
  const t = useT()
  return (
    <li
      data-row={`lesson-${lesson.id}`}
      className="grid min-h-(--row) grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2 border-t border-line py-2 ps-4 pe-1.5 max-md:ps-3"
    >
      <span className="flex items-center gap-1 text-sm text-muted tabular-nums">
        {actions.mayUpdate ? <span data-grip className="inline-block size-6 shrink-0 max-md:hidden" /> : null}
        {formatNumber(reader, place)}.
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-[min(100%,16rem)] flex-1">
          {actions.renamed?.lesson === lesson.id ? (
            <TitleInput title={lesson.title} lang={lesson.locale} onEnd={actions.endRename} />
          ) : (
            <Link
              {...seenAddress(lessonScreen, lesson.id)}
              lang={lesson.locale}
              data-move
              onKeyDown={(event) => actions.handleKey(event, { lesson: lesson.id, title: lesson.title })}
              aria-keyshortcuts={actions.mayUpdate ? 'Alt+ArrowUp Alt+ArrowDown F2' : undefined}
              className="inline-flex min-h-6 items-center font-semibold wrap-anywhere hover:text-brand-text pointer-coarse:min-h-11"
            >
              {lesson.title}
            </Link>
          )}
          <LessonLine lesson={lesson} />
        </div>
        <LanguageCoverage available={lesson.locales} />
        <span className="min-w-24 text-sm text-muted tabular-nums md:text-end">
          {lesson.duration_s ? durationText(t, minutesOf(lesson.duration_s)) : null}
        </span>
      </div>
      <LessonMenu outline={outline} lesson={lesson} actions={actions} />
    </li>
  )
}

/** Exceptions of a lesson; an ordinary lesson has no second line. */
function LessonLine({ lesson }: { lesson: OutlineLesson }) {
  const t = useT()
  const { kind, state, outdated_locales, problems } = lesson
  const languageNames = (codes: readonly (keyof typeof localeNames)[]) =>
    formatList(
      t,
      codes.map((code) => localeNames[code]),
    )
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm empty:hidden">
      {kind === 'multi' ? <span className="text-muted">{t('learning.inParts')}</span> : null}
      {state === 'hidden' ? (
        <span>
          <FieldDisplay resource={resources.lessons} name="state" value={state} />
        </span>
      ) : null}
      {problems.length > 0 ? (
        <span className="inline-flex items-center gap-1.5 text-warning-text">
          <TriangleAlert size={15} aria-hidden className="shrink-0" />
          {problemsText(t, problems)}
        </span>
      ) : null}
      {outdated_locales.length > 0 ? (
        <span className="text-warning-text">
          {t('learning.outdatedIn', { languages: languageNames(outdated_locales) })}
        </span>
      ) : null}
    </p>
  )
}

function LessonMenu({ outline, lesson, actions }: Omit<OutlineRowProps, 'place'>) {
  const t = useT()
  const { id, title } = lesson
  return (
    <OutlineMenu
      screen={lessonScreen}
      outline={outline}
      item={lesson}
      actions={actions}
      up={moveLesson(id, 'up')}
      down={moveLesson(id, 'down')}
      movedItem={{ lesson: id, title }}
      firstItems={({ Item }) => (
        <Item render={<Link {...seenAddress(lessonScreen, id)} />} icon={<Eye size={16} aria-hidden />}>
          {t('action.view')}
        </Item>
      )}
      furtherItems={({ Item }) => (
        <Item icon={<Copy size={16} aria-hidden />} onClick={() => actions.duplicate(id)}>
          {t('learning.duplicateLesson')}
        </Item>
      )}
      placeItems={({ Item }) =>
        outline.groups.length > 0 ? (
          <Item icon={<FolderInput size={16} aria-hidden />} onClick={() => actions.openGroupDialog(lesson)}>
            {t('learning.moveToGroup')}
          </Item>
        ) : null
      }
    />
  )
}
