/** A group of an outline: its header with its actions, above its lessons. */
import { resources } from '@dala/model'
import type { Outline, OutlineGroup } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'
import { FieldDisplay } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { editAddress } from '../../../resource/screen-address.ts'
import { newLessonAddress } from './add-links.tsx'
import type { OutlineActions } from './actions.ts'
import { OutlineMenu } from './menu.tsx'
import { TitleInput } from './title-input.tsx'
import { moveGroup } from './tree.ts'
import { groupScreen } from '../screens.ts'

export interface OutlineGroupRowProps {
  course: number
  outline: Outline
  group: OutlineGroup
  actions: OutlineActions
  /** Lessons of the group. */
  children: ReactNode
}

export function OutlineGroupRow({ course, outline, group, actions, children }: OutlineGroupRowProps) {
  const t = useT()
  const { id, title, state, lessons } = group
  const movedItem = { group: id, title }
  return (
    <li data-row={`group-${id}`}>
      <div
        data-head
        className="flex items-center gap-x-2 border-t border-line bg-sunken py-1.5 ps-4 pe-1.5 max-md:ps-3"
      >
        {actions.mayUpdate ? <span data-grip className="inline-block size-6 shrink-0 max-md:hidden" /> : null}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-0.5">
          <h3 className="min-w-0 font-semibold wrap-anywhere">
            <GroupName group={group} actions={actions} />
          </h3>
          <span className="text-sm text-muted">{t('learning.lessonCount', { count: lessons.length })}</span>
          {state === 'hidden' ? (
            <span className="text-sm">
              <FieldDisplay resource={resources.lessongroups} name="state" value={state} />
            </span>
          ) : null}
        </div>
        {actions.mayUpdate || actions.mayRemove ? (
          <GroupMenu {...{ course, outline, group, actions, movedItem }} />
        ) : null}
      </div>
      {children}
    </li>
  )
}

/** The name of the group links to its form if the user may edit. */
function GroupName({ group: { id, title, locale }, actions }: Pick<OutlineGroupRowProps, 'group' | 'actions'>) {
  if (actions.renamed?.group === id) return <TitleInput title={title} lang={locale} onEnd={actions.endRename} />
  if (!actions.mayUpdate) return <span lang={locale}>{title}</span>
  return (
    <Link
      {...editAddress(groupScreen, id)}
      lang={locale}
      data-move
      onKeyDown={(event) => actions.handleKey(event, { group: id, title })}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown F2"
      className="inline-flex min-h-6 items-center hover:text-brand-text pointer-coarse:min-h-11"
    >
      {title}
    </Link>
  )
}

function GroupMenu({
  course,
  outline,
  group,
  actions,
  movedItem,
}: Omit<OutlineGroupRowProps, 'children'> & { movedItem: { group: number; title: string } }) {
  const t = useT()
  return (
    <OutlineMenu
      screen={groupScreen}
      outline={outline}
      item={group}
      actions={actions}
      up={moveGroup(group.id, 'up')}
      down={moveGroup(group.id, 'down')}
      movedItem={movedItem}
      furtherItems={({ Item }) => (
        <Item render={<Link {...newLessonAddress(course, outline, group)} />} icon={<Plus size={16} aria-hidden />}>
          {t('action.addLesson')}
        </Item>
      )}
    />
  )
}
