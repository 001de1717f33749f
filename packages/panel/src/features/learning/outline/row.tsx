/** One lesson of an outline: position, title with its marks, languages and length, and its actions. */
import type { OutlineLesson } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Copy from 'lucide-react/icons/copy'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import FolderInput from 'lucide-react/icons/folder-input'
import { memo } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import { LanguageCoverage } from '../../../ui/language-coverage.tsx'
import { clockText, durationText, minutesOf } from '../lengths.ts'
import { OutlineMenu } from './menu.tsx'
import type { OutlineActions } from './actions.ts'
import { problemsText } from './problems.ts'
import { TitleInput } from './title-input.tsx'
import { moveLesson } from './tree.ts'
import { lessonScreen } from '../screens.ts'

export interface OutlineRowProps {
  lesson: OutlineLesson
  /** Position of the lesson in its list, from 1. */
  place: number
  actions: OutlineActions
  /** Whether the lesson is open beside the outline. */
  isOpen: boolean
  isRenamed: boolean
  /** Whether the lesson is selected; undefined while no lessons are being selected. */
  isSelected: boolean | undefined
}

export const OutlineRow = memo(function OutlineRow(props: OutlineRowProps) {
  const { lesson, place, actions, isOpen, isRenamed, isSelected } = props
  const reader = useLocale()
  const t = useT()
  const { id, title, locale } = lesson
  const item = { lesson: id, title }
  return (
    <li
      data-row={`lesson-${id}`}
      {...(isOpen && { 'data-selected': '' })}
      className="list-row group/row grid min-h-(--row) grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2 border-t border-line py-1 ps-2.5 pe-1.5"
    >
      <span className="flex items-center gap-1 text-sm text-muted tabular-nums">
        {isSelected === undefined ? null : (
          <label className="check-target">
            <input
              type="checkbox"
              className="check"
              aria-label={t('list.selectRow', { name: title })}
              checked={isSelected}
              onChange={({ nativeEvent }) =>
                actions.toggleLesson(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          </label>
        )}
        {actions.mayUpdate ? <span data-grip className="inline-block size-6 shrink-0 max-md:hidden" /> : null}
        <span className="min-w-5 text-center">{formatNumber(reader, place)}</span>
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5">
        <div className="flex min-w-[min(100%,9rem)] flex-1 flex-wrap items-center gap-x-2">
          {isRenamed ? (
            <TitleInput title={title} lang={locale} onEnd={actions.endRename} />
          ) : (
            <Link
              {...actions.addressOf(item)}
              lang={locale}
              data-move
              aria-current={isOpen ? 'true' : undefined}
              onClick={(event) => actions.handlePress(event, item)}
              onKeyDown={(event) => actions.handleKey(event, item)}
              aria-keyshortcuts={actions.mayUpdate ? 'Alt+ArrowUp Alt+ArrowDown F2 Shift+Space' : undefined}
              className={`inline-flex min-h-6 items-center wrap-anywhere hover:text-brand-text pointer-coarse:min-h-11 ${isOpen ? 'font-semibold' : ''}`}
            >
              {title}
            </Link>
          )}
          <LessonMarks lesson={lesson} />
        </div>
        <LanguageCoverage availableLocales={lesson.locales} outdated={lesson.outdated_locales} />
      </div>
      <span className="flex min-w-11 items-center justify-end gap-1">
        <LessonLength seconds={lesson.duration_s} />
        <LessonMenu lesson={lesson} actions={actions} />
      </span>
    </li>
  )
})

function LessonLength({ seconds }: { seconds: number | null }) {
  const t = useT()
  if (!seconds) return null
  return (
    <span className="min-w-10 text-end text-sm text-muted tabular-nums">
      <span aria-hidden>{clockText(seconds)}</span>
      <span className="sr-only">{durationText(t, minutesOf(seconds))}</span>
    </span>
  )
}

/** Marks of a lesson that is unusual, e.g. hidden; an ordinary lesson has none. */
function LessonMarks({ lesson: { kind, state, change, problems } }: Pick<OutlineRowProps, 'lesson'>) {
  const t = useT()
  const problem = problemsText(t, problems)
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs empty:hidden">
      {change === null ? null : (
        <span className="font-semibold text-brand-text">
          {t(change === 'new' ? 'learning.mark.new' : 'learning.mark.changed')}
        </span>
      )}
      {kind === 'multi' ? <span className="text-muted">{t('learning.inParts')}</span> : null}
      {state === 'hidden' ? (
        <span className="inline-flex items-center gap-1 rounded-1 bg-sunken px-1.5 py-0.5 text-muted">
          <EyeOff size={13} aria-hidden />
          {t('value.state.hidden')}
        </span>
      ) : null}
      {problem ? (
        <span data-tip={problem} className="grid size-5 place-items-center rounded-1 bg-danger-soft text-danger-text">
          <CircleAlert size={14} aria-hidden />
          <span className="sr-only">{problem}</span>
        </span>
      ) : null}
    </span>
  )
}

function LessonMenu({ lesson, actions }: Pick<OutlineRowProps, 'lesson' | 'actions'>) {
  const t = useT()
  const { id, title } = lesson
  return (
    <OutlineMenu
      screen={lessonScreen}
      item={lesson}
      actions={actions}
      up={moveLesson(id, 'up')}
      moveDown={moveLesson(id, 'down')}
      movedItem={{ lesson: id, title }}
      firstItems={({ Item }) => (
        <Item render={<Link {...recordAddress(lessonScreen, id)} />} icon={<Eye size={16} aria-hidden />}>
          {t('action.view')}
        </Item>
      )}
      furtherItems={({ Item }) => (
        <Item icon={<Copy size={16} aria-hidden />} onClick={() => actions.duplicate(id)}>
          {t('learning.duplicateLesson')}
        </Item>
      )}
      placeItems={({ Item }) =>
        actions.outline().groups.length > 0 ? (
          <Item icon={<FolderInput size={16} aria-hidden />} onClick={() => actions.openGroupDialog([lesson])}>
            {t('learning.moveToGroup')}
          </Item>
        ) : null
      }
    />
  )
}
