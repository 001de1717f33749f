/**
 * The page of a course for its authors: the outline beside the lesson or group that is open (e-learning §6).
 */
import { type Entry, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useLocale, useT } from '../../lib/i18n.ts'
import { FormScreen } from '../../resource/form/form-screen.tsx'
import { isPageCovered } from '../../resource/list/row-actions/list-keys.ts'
import { useRecord } from '../../resource/record/record-state.tsx'
import type { FormSlots } from '../../resource/screen-parts.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { groupForm } from './group-form.tsx'
import { lessonForm } from './lesson/lesson-form.tsx'
import { idInLanguage } from './lesson/texts.ts'
import { outlineQuery } from './outline/api.ts'
import { OutlineSheet } from './outline/outline.tsx'
import { rowKeyOf } from './outline/row-keys.ts'
import { lessonsOf } from './outline/tree.ts'
import { groupScreen, lessonScreen, paneKeys } from './screens.ts'
import type { OpenItem } from './open-item.ts'

/**
 * Forms of a lesson and a group beside the outline, without the link to the outline and the list of lessons.
 */
const { Actions: _link, ...lessonInPane }: FormSlots = lessonForm
const { Actions: _otherLink, Below: _lessons, ...groupInPane }: FormSlots = groupForm
const lessonPane = { recordKey: paneKeys.lesson, languageKey: paneKeys.language }
const groupPane = { recordKey: paneKeys.group, languageKey: paneKeys.language }

interface CourseWorkspaceProps {
  course: Entry
  open: OpenItem
  /** Content beside the outline while no lesson or group is open. */
  children: ReactNode
}

export function CourseWorkspace({ course, open, children }: CourseWorkspaceProps) {
  const t = useT()
  const locale = useLocale()
  const sheet = useRef<HTMLElement>(null)
  const pane = useRef<HTMLElement>(null)
  const { data: outline } = useQuery(outlineQuery(course.id, locale))
  const lesson = useRowId(resources.lessons, open.lesson)
  const group = useRowId(resources.lessongroups, open.group)
  const shownItem =
    outline && (lessonsOf(outline).find(({ id }) => id === lesson) ?? outline.groups.find(({ id }) => id === group))

  // Escape returns from the open row to its place in the outline.
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, defaultPrevented } = event
    if (key !== 'Escape' || defaultPrevented || !(target instanceof Node) || isPageCovered()) return
    if (!pane.current?.contains(target) || (lesson === undefined && group === undefined)) return
    const row = sheet.current?.querySelector<HTMLElement>(`[data-row="${rowKeyOf({ lesson, group })}"] [data-move]`)
    row?.focus()
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [])

  return (
    <Sheet
      ref={sheet}
      className="grid min-h-0 flex-1 grid-cols-[minmax(340px,38%)_minmax(0,1fr)] grid-rows-[minmax(0,1fr)] overflow-hidden xl:grid-cols-[456px_minmax(0,1fr)]"
    >
      <OutlineSheet course={course.id} besideRow={{ lesson, group, onEnter: () => pane.current?.focus() }} />
      <section
        ref={pane}
        aria-label={shownItem?.title ?? t('learning.course.detail')}
        tabIndex={-1}
        className="min-w-0 overflow-y-auto border-s border-line"
      >
        <div className="flex min-h-full flex-col px-6 pt-4 pb-8">
          {open.lesson !== undefined ? (
            <FormScreen
              key={open.lesson}
              screen={lessonScreen}
              index={open.lesson}
              slots={lessonInPane}
              pane={lessonPane}
            />
          ) : open.group !== undefined ? (
            <FormScreen key={open.group} screen={groupScreen} index={open.group} slots={groupInPane} pane={groupPane} />
          ) : (
            children
          )}
        </div>
      </section>
    </Sheet>
  )
}

/**
 * Id of a record in the outline, whose ids are those of the user's language; the address may have another id.
 */
function useRowId(resource: typeof resources.lessons | typeof resources.lessongroups, id: string | undefined) {
  const locale = useLocale()
  const { record } = useRecord(resource, id ?? 'new', locale)
  if (id === undefined) return undefined
  return record ? idInLanguage(record, locale) : Number(id)
}
