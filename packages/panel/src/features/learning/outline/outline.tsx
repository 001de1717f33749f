/**
 * The outline of a course: groups in order with their lessons in order, alone or beside the row that is open.
 */
import { type Entry, resources } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import ListChecks from 'lucide-react/icons/list-checks'
import { Suspense, useCallback, useRef, useState } from 'react'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { DeleteRecordDialog } from '../../../resource/record/delete-dialog.tsx'
import { editAddress, recordAddress } from '../../../resource/screen-address.ts'
import { lazyOptionalPart, lazyFeature } from '../../../ui/lazy-part.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { durationText, minutesOf } from '../lengths.ts'
import { groupScreen, lessonScreen, paneKeys } from '../screens.ts'
import type { MovedItem, RowAddress } from './actions.ts'
import { AddGroup, AddLesson } from './add-links.tsx'
import { MoveToGroup } from './move-to-group.tsx'
import { outlineQuery } from './api.ts'
import { rowKeyOf } from './row-keys.ts'
import { OutlineRows } from './rows.tsx'
import { SelectedBar } from './selected-bar.tsx'
import { OutlineFailure, OutlineWaiting } from './states.tsx'
import { lessonsOf, secondsOf } from './tree.ts'
import { type RemovedItem, useOutlineActions } from './use-outline-actions.ts'

const OutlineDrag = lazyOptionalPart(async () => (await import('./drag.tsx')).OutlineDrag)
const OrderConflictDialog = lazyFeature(async () => (await import('./conflict-dialog.tsx')).OrderConflictDialog)
const StoppedUploads = lazyOptionalPart(async () => (await import('./stopped-uploads.tsx')).StoppedUploads)
const Blockers = lazyOptionalPart(async () => (await import('./blockers.tsx')).Blockers)

/** The lesson or group that is open beside the outline. */
interface OpenRow {
  lesson?: number | undefined
  group?: number | undefined
  /** Called when the user has opened a row of the outline with the keyboard. */
  onEnter: () => void
}

export interface OutlineProps {
  course: number
  /** Shows only the lessons of this group; moves still use the whole course. */
  group?: number
  /** Row that is open beside the outline; rows then open beside it, in the same sheet. */
  besideRow?: OpenRow
  /** Whether rows of the outline open their forms instead of their pages. */
  opensForms?: boolean
}

const rowAddressOf = ({ lesson, group }: MovedItem): RowAddress => ({
  to: '.',
  search: (formerSearch) => ({ ...formerSearch, [paneKeys.lesson]: lesson, [paneKeys.group]: group }),
})
const closeRow = (formerSearch: object) => ({
  ...formerSearch,
  [paneKeys.lesson]: undefined,
  [paneKeys.group]: undefined,
})
const openForm = ({ lesson, group }: MovedItem): RowAddress =>
  lesson === undefined ? editAddress(groupScreen, group ?? 0) : editAddress(lessonScreen, lesson)
const openPage = (item: MovedItem): RowAddress =>
  item.lesson === undefined ? openForm(item) : recordAddress(lessonScreen, item.lesson)

export function OutlineSheet({ course, group, besideRow: nearbyRow, opensForms = false }: OutlineProps) {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const setBox = useCallback((element: HTMLDivElement | null) => {
    box.current = element
    setRoot(element)
  }, [])
  const { data: outline, error, refetch } = useQuery(outlineQuery(course, locale))
  const addressOf = nearbyRow ? rowAddressOf : opensForms ? openForm : openPage
  const outlineActions = useOutlineActions({ course, locale, outline, box, addressOf, onEnter: nearbyRow?.onEnter })
  const { actions, selection } = outlineActions
  const singleGroup = outline?.groups.find(({ id }) => id === group)
  const isWhole = group === undefined
  const title = t(isWhole ? 'learning.outline' : 'learning.groupLessons')
  const hasMoves = actions.mayUpdate && outline !== undefined && lessonsOf(outline).length > 1
  /** Ends the selection of lessons; the focus moves to a row that was selected, or to the first row. */
  const endSelection = () => {
    const row = selection.lessons[0] ? rowKeyOf({ lesson: selection.lessons[0].id }) : ''
    selection.clear()
    requestAnimationFrame(() => {
      const target = box.current?.querySelector<HTMLElement>(`[data-row="${row}"] [data-move]`)
      ;(target ?? box.current?.querySelector<HTMLElement>('[data-move]'))?.focus()
    })
  }
  const leavingRow = outlineActions.leaving && movedItemOf(outlineActions.leaving)
  const content = (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 max-md:px-3">
        <div className="min-w-40 flex-1">
          <h2 className="text-lg leading-tight font-semibold">{title}</h2>
          {outline && isWhole ? <OutlineSummary outline={outline} /> : null}
        </div>
        {outline ? (
          <div className="flex flex-wrap items-center gap-2">
            {isWhole && hasMoves ? (
              <IconButton
                label={t('learning.selectLessons')}
                aria-pressed={selection.isSelecting}
                icon={<ListChecks size={18} aria-hidden />}
                onClick={selection.isSelecting ? selection.clear : selection.start}
              />
            ) : null}
            {isWhole ? (
              <AddGroup course={course} outline={outline} />
            ) : (
              <AddLesson course={course} outline={outline} group={singleGroup} />
            )}
          </div>
        ) : null}
      </div>
      {selection.isSelecting ? (
        <SelectedBar
          selection={selection}
          mayRemove={actions.mayRemove}
          onMove={outline && outline.groups.length > 0 ? () => outlineActions.setPlacing(selection.lessons) : undefined}
          onEnd={endSelection}
        />
      ) : null}
      <div
        ref={setBox}
        aria-busy={outlineActions.isSaving || undefined}
        className={nearbyRow && 'min-h-0 flex-1 overflow-y-auto'}
      >
        {outline ? (
          <OutlineRows
            course={course}
            outline={outline}
            singleGroup={singleGroup}
            isWhole={isWhole}
            actions={actions}
            renamedItem={outlineActions.renamed}
            selectedRows={selection.isSelecting ? selection.ids : undefined}
            open={nearbyRow}
          />
        ) : error ? (
          <OutlineFailure error={error} onRetry={() => void refetch()} />
        ) : (
          <OutlineWaiting />
        )}
      </div>
      {isWhole && actions.mayUpdate && outline ? (
        <Suspense fallback={null}>
          <StoppedUploads course={course} current={nearbyRow?.lesson} />
          <Blockers course={course} current={nearbyRow?.lesson} showsKeys={hasMoves} />
        </Suspense>
      ) : null}
      {isWhole && actions.mayUpdate && outline && root ? (
        <Suspense fallback={null}>
          <OutlineDrag outline={outline} actions={actions} root={root} />
        </Suspense>
      ) : null}
      {outline ? (
        <MoveToGroup
          outline={outline}
          lessons={outlineActions.placing}
          onClose={() => outlineActions.setPlacing([])}
          onMove={(lessons, target) => {
            outlineActions.moveToGroup(lessons, target)
            if (selection.isSelecting) endSelection()
          }}
        />
      ) : null}
      {outlineActions.conflict ? (
        <Suspense fallback={null}>
          <OrderConflictDialog conflict={outlineActions.conflict} onResolve={outlineActions.resolveConflict} />
        </Suspense>
      ) : null}
      <DeleteRecordDialog
        resource={outlineActions.leaving?.resource ?? resources.lessons}
        record={outlineActions.leaving ? entryOf(outlineActions.leaving.item) : null}
        name={outlineActions.leaving?.item.title ?? ''}
        onClose={() => outlineActions.setLeaving(null)}
        focusAfter={() => leavingRow && outlineActions.rowBeside(leavingRow)}
        onDeleted={() => {
          const id = outlineActions.leaving?.item.id
          if (nearbyRow && (nearbyRow.lesson === id || nearbyRow.group === id))
            void navigate({ to: '.', search: closeRow, ignoreBlocker: true })
        }}
      />
    </>
  )
  return nearbyRow ? (
    <section aria-label={title} className="flex min-h-0 min-w-0 flex-col">
      {content}
    </section>
  ) : (
    <Sheet aria-label={title}>{content}</Sheet>
  )
}

const movedItemOf = ({ resource, item: { id, title } }: RemovedItem): MovedItem =>
  resource === resources.lessons ? { lesson: id, title } : { group: id, title }

/** The part of a record that the delete confirmation needs: its id, and its languages. */
function entryOf(item: OutlineLesson | OutlineGroup): Entry {
  const otherLocales = 'locales' in item ? item.locales.filter((locale) => locale !== item.locale) : []
  return { id: item.id, locale: item.locale, localizations: otherLocales.map((locale) => ({ id: item.id, locale })) }
}

/** Numbers of groups and lessons in the outline, and the length of the lessons that learners see. */
function OutlineSummary({ outline }: { outline: Outline }) {
  const t = useT()
  const texts = [
    outline.groups.length > 0 ? t('learning.groupCount', { count: outline.groups.length }) : '',
    t('learning.lessonCount', { count: lessonsOf(outline).length }),
    durationText(t, minutesOf(secondsOf(outline))),
  ]
  return <p className="text-sm text-muted">{texts.filter(Boolean).join(', ')}</p>
}
