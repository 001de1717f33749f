/** The outline of a course: groups in order with their lessons in order, moved by buttons and keys. */
import { type Entry, resources } from '@dala/model'
import type { OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfError } from '../../../api/error-toasts.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { DeleteRecordDialog } from '../../../resource/record/delete-dialog.tsx'
import { lazyExtra } from '../../../ui/lazy-part.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { AddGroup, AddLesson } from './add-links.tsx'
import { MoveToGroup } from './move-to-group.tsx'
import { outlineQuery } from './api.ts'
import { OutlineGroupRow } from './group.tsx'
import { OutlineRow } from './row.tsx'
import { lessonsOf } from './tree.ts'
import { useOutlineActions } from './use-outline-actions.ts'

const OutlineDrag = lazyExtra(async () => (await import('./drag.tsx')).OutlineDrag)

export interface OutlineProps {
  course: number
  /** Shows only the lessons of this group; moves still use the whole course. */
  group?: number
}

export function OutlineSheet({ course, group }: OutlineProps) {
  const t = useT()
  const locale = useLocale()
  const box = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const setBox = useCallback((element: HTMLDivElement | null) => {
    box.current = element
    setRoot(element)
  }, [])
  const { data: outline, error, refetch } = useQuery(outlineQuery(course, locale))
  const outlineActions = useOutlineActions(course, locale, outline, box)
  const { actions } = outlineActions
  const onlyGroup = outline?.groups.find(({ id }) => id === group)
  const isWhole = group === undefined
  const title = t(isWhole ? 'learning.outline' : 'learning.groupLessons')
  return (
    <Sheet aria-label={title}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3.5 max-md:px-3">
        <div className="min-w-[min(100%,14rem)] flex-1">
          <h2 className="text-lg font-semibold">{title}</h2>
          {actions.mayUpdate && outline && lessonsOf(outline).length > 1 ? (
            <p className="text-sm text-muted max-md:hidden pointer-coarse:hidden">{t('learning.moveHint')}</p>
          ) : null}
        </div>
        {outline ? (
          <div className="flex flex-wrap gap-2">
            {isWhole ? <AddGroup course={course} outline={outline} /> : null}
            <AddLesson course={course} outline={outline} group={onlyGroup} />
          </div>
        ) : null}
      </div>
      {outlineActions.refusedMove ? (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-warning-soft px-4 py-2.5 text-warning-text"
        >
          {t('learning.orderChanged')}
          <LinkButton onClick={() => outlineActions.refusedMove && outlineActions.again(outlineActions.refusedMove)}>
            {t('learning.moveAgain')}
          </LinkButton>
          <LinkButton onClick={outlineActions.forget}>{t('action.close')}</LinkButton>
        </div>
      ) : null}
      <div ref={setBox} aria-busy={outlineActions.isSaving || undefined}>
        {outline ? (
          isWhole ? (
            <Whole course={course} outline={outline} actions={actions} />
          ) : (
            <Lessons lessons={onlyGroup?.lessons ?? []} outline={outline} actions={actions} isEmpty />
          )
        ) : error ? (
          <OutlineFailure error={error} onRetry={() => void refetch()} />
        ) : (
          <Waiting />
        )}
      </div>
      {isWhole && actions.mayUpdate && outline && root ? (
        <Suspense fallback={null}>
          <OutlineDrag outline={outline} actions={actions} root={root} />
        </Suspense>
      ) : null}
      {outline ? (
        <MoveToGroup
          outline={outline}
          lesson={outlineActions.placing}
          onClose={() => outlineActions.setPlacing(null)}
          onMove={(move, item) => actions.move(move, item, 'menu')}
        />
      ) : null}
      <DeleteRecordDialog
        resource={outlineActions.leaving?.resource ?? resources.lessons}
        record={outlineActions.leaving ? entryOf(outlineActions.leaving.item) : null}
        name={outlineActions.leaving?.item.title ?? ''}
        onClose={() => outlineActions.setLeaving(null)}
      />
    </Sheet>
  )
}

/** The part of a record that the delete confirmation needs: its id, and its languages. */
function entryOf(item: OutlineLesson | OutlineGroup): Entry {
  const otherLocales = 'locales' in item ? item.locales.filter((locale) => locale !== item.locale) : []
  return { id: item.id, locale: item.locale, localizations: otherLocales.map((locale) => ({ id: item.id, locale })) }
}

type PartProps = Pick<Parameters<typeof OutlineRow>[0], 'outline' | 'actions'>

function Whole({ course, outline, actions }: PartProps & { course: number }) {
  const t = useT()
  const { groups, lessons } = outline
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
            <OutlineGroupRow key={group.id} course={course} outline={outline} group={group} actions={actions}>
              <Lessons lessons={group.lessons} outline={outline} actions={actions} isEmpty />
            </OutlineGroupRow>
          ))}
        </ol>
      ) : null}
      {groups.length > 0 && lessons.length > 0 ? (
        <h3 className="border-t border-line bg-sunken px-4 py-2.5 font-semibold max-md:px-3">
          {t('learning.noGroup')}
        </h3>
      ) : null}
      <Lessons lessons={lessons} outline={outline} actions={actions} />
    </>
  )
}

function Lessons({
  lessons,
  isEmpty = false,
  ...rest
}: PartProps & { lessons: readonly OutlineLesson[]; isEmpty?: boolean }) {
  const t = useT()
  if (lessons.length === 0)
    return isEmpty ? (
      <p className="border-t border-line px-4 py-3 text-muted max-md:px-3">{t('learning.groupEmpty')}</p>
    ) : null
  return (
    <ol>
      {lessons.map((lesson, index) => (
        <OutlineRow key={lesson.id} lesson={lesson} place={index + 1} {...rest} />
      ))}
    </ol>
  )
}

function OutlineFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useT()
  const isAnswered = error instanceof ApiError && error.status > 0
  return (
    <FailureState
      title={t('learning.outlineFailed')}
      text={isAnswered ? messageOfError(error) : t('error.network.message')}
      {...(isAnswered && { status: error.status })}
      onRetry={onRetry}
    />
  )
}

function Waiting() {
  return (
    <Delayed>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-(--row) items-center gap-6 border-t border-line px-4">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="ms-auto h-4 w-24" />
        </div>
      ))}
    </Delayed>
  )
}
