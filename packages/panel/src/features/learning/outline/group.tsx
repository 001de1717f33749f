/** A group in the outline of a course: its header with its actions, above its lessons. */
import { resources } from '@dala/model'
import type { OutlineGroup } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'
import { FieldDisplay } from '../../../fields/field-display.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { AddToGroup, newLessonAddress } from './add-links.tsx'
import type { OutlineActions } from './actions.ts'
import { OutlineMenu } from './menu.tsx'
import { TitleInput } from './title-input.tsx'
import { moveGroup } from './tree.ts'
import { groupScreen } from '../screens.ts'

export interface OutlineGroupRowProps {
  course: number
  group: OutlineGroup
  actions: OutlineActions
  /** Whether the group is open beside the outline. */
  isOpen: boolean
  isRenamed: boolean
  /** The selected lessons; undefined while no lessons are being selected. */
  selectedRows: ReadonlySet<number> | undefined
  /** Rows of the group's lessons. */
  children: ReactNode
}

export function OutlineGroupRow(props: OutlineGroupRowProps) {
  const { course, group, actions, isOpen, selectedRows: selectedIds, children } = props
  const t = useT()
  const reader = useLocale()
  const { id, state, lessons } = group
  return (
    <li data-row={`group-${id}`}>
      <div
        data-head
        {...(isOpen && { 'data-selected': '' })}
        className="list-row flex items-center gap-x-1 border-t border-line bg-sunken py-0.5 ps-2.5 pe-1.5"
      >
        {selectedIds ? <GroupCheck group={group} actions={actions} selected={selectedIds} /> : null}
        {actions.mayUpdate ? <span data-grip className="inline-block size-6 shrink-0 max-md:hidden" /> : null}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-0.5 ps-1">
          <h3 className="min-w-0 font-semibold wrap-anywhere">
            <GroupName {...props} />
          </h3>
          <span className="text-sm text-muted">
            <span aria-hidden>{formatNumber(reader, lessons.length)}</span>
            <span className="sr-only">{t('learning.lessonCount', { count: lessons.length })}</span>
          </span>
          {state === 'hidden' ? (
            <span className="text-sm">
              <FieldDisplay resource={resources.lessongroups} name="state" value={state} />
            </span>
          ) : null}
        </div>
        <AddToGroup course={course} group={group} />
        {actions.mayUpdate || actions.mayRemove ? <GroupMenu {...{ course, group, actions }} /> : null}
      </div>
      {children}
    </li>
  )
}

/** Checkbox that selects all lessons of the group. */
function GroupCheck({
  group,
  actions,
  selected,
}: Pick<OutlineGroupRowProps, 'group' | 'actions'> & { selected: ReadonlySet<number> }) {
  const t = useT()
  const count = group.lessons.filter(({ id }) => selected.has(id)).length
  const isWhole = count > 0 && count === group.lessons.length
  return (
    <label className="check-target">
      <input
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isWhole
        }}
        type="checkbox"
        className="check"
        aria-label={t('learning.selectGroup', { name: group.title })}
        checked={isWhole}
        disabled={group.lessons.length === 0}
        onChange={() => actions.toggleGroup(group)}
      />
    </label>
  )
}

/** Name of the group, with a link to its form if the user may edit the group. */
function GroupName({ group: { id, title, locale }, actions, isOpen, isRenamed }: OutlineGroupRowProps) {
  if (isRenamed) return <TitleInput title={title} lang={locale} onEnd={actions.endRename} />
  if (!actions.mayUpdate) return <span lang={locale}>{title}</span>
  const item = { group: id, title }
  return (
    <Link
      {...actions.addressOf(item)}
      lang={locale}
      data-move
      aria-current={isOpen ? 'true' : undefined}
      onClick={(event) => actions.handlePress(event, item)}
      onKeyDown={(event) => actions.handleKey(event, item)}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown F2"
      className="inline-flex min-h-6 items-center hover:text-brand-text pointer-coarse:min-h-11"
    >
      {title}
    </Link>
  )
}

function GroupMenu({ course, group, actions }: Pick<OutlineGroupRowProps, 'course' | 'group' | 'actions'>) {
  const t = useT()
  return (
    <OutlineMenu
      screen={groupScreen}
      item={group}
      actions={actions}
      up={moveGroup(group.id, 'up')}
      moveDown={moveGroup(group.id, 'down')}
      movedItem={{ group: group.id, title: group.title }}
      furtherItems={({ Item }) => (
        <Item
          render={<Link {...newLessonAddress(course, group.lessons.length, group)} />}
          icon={<Plus size={16} aria-hidden />}
        >
          {t('action.addLesson')}
        </Item>
      )}
    />
  )
}
