/** The rows of an outline: groups with their lessons, and the lessons without a group. */
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { useT } from '../../../lib/i18n.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import type { MovedItem, OutlineActions } from './actions.ts'
import { AddLesson } from './add-links.tsx'
import { OutlineGroupRow } from './group.tsx'
import { OutlineRow } from './row.tsx'

interface RowsState {
  actions: OutlineActions
  /** Row of the outline whose title is being edited. */
  renamedItem: MovedItem | null
  /** The selected lessons; undefined while no lessons are being selected. */
  selectedRows: ReadonlySet<number> | undefined
  /** Row of the outline that is open beside it. */
  open: { lesson?: number | undefined; group?: number | undefined } | undefined
}

interface OutlineRowsProps extends RowsState {
  course: number
  outline: Outline
  /** The only group whose lessons are shown; undefined until the outline is loaded. */
  singleGroup: OutlineGroup | undefined
  isWhole: boolean
}

export function OutlineRows({ course, outline, singleGroup: onlyGroup, isWhole, ...state }: OutlineRowsProps) {
  const t = useT()
  const { groups, lessons } = outline
  if (!isWhole) return <Lessons lessons={onlyGroup?.lessons ?? []} isGroup {...state} />
  if (groups.length === 0 && lessons.length === 0) {
    return (
      <EmptyState
        title={t('empty.noData')}
        text={t('empty.noLessons')}
        action={<AddLesson course={course} outline={outline} variant="primary" />}
      />
    )
  }
  return (
    <>
      {groups.length > 0 ? (
        <ol>
          {groups.map((group) => (
            <OutlineGroupRow
              key={group.id}
              course={course}
              group={group}
              actions={state.actions}
              isOpen={state.open?.group === group.id}
              isRenamed={state.renamedItem?.group === group.id}
              selectedRows={state.selectedRows}
            >
              <Lessons lessons={group.lessons} isGroup {...state} />
            </OutlineGroupRow>
          ))}
        </ol>
      ) : null}
      {groups.length > 0 && lessons.length > 0 ? (
        <h3 className="border-t border-line bg-sunken px-4 py-2 font-semibold max-md:px-3">{t('learning.noGroup')}</h3>
      ) : null}
      <Lessons lessons={lessons} {...state} />
      <div className="border-t border-line px-2.5 py-1.5">
        <AddLesson course={course} outline={outline} variant="quiet" />
      </div>
    </>
  )
}

interface LessonsProps extends RowsState {
  lessons: readonly OutlineLesson[]
  /** Whether the lessons are those of a group, which shows a message when it has none. */
  isGroup?: boolean
}

function Lessons({
  lessons,
  isGroup = false,
  actions,
  renamedItem: itemToRename,
  selectedRows: selectedIds,
  open,
}: LessonsProps) {
  const t = useT()
  if (lessons.length === 0)
    return isGroup ? (
      <p className="border-t border-line px-4 py-2.5 text-muted max-md:px-3">{t('learning.groupEmpty')}</p>
    ) : null
  return (
    <ol>
      {lessons.map((lesson, index) => (
        <OutlineRow
          key={lesson.id}
          lesson={lesson}
          place={index + 1}
          actions={actions}
          isOpen={open?.lesson === lesson.id}
          isRenamed={itemToRename?.lesson === lesson.id}
          isSelected={selectedIds?.has(lesson.id)}
        />
      ))}
    </ol>
  )
}
