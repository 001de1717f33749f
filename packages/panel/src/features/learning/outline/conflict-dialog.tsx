/** Shows the user's order of an outline beside that of a colleague, after a conflict (e-learning §6). */
import { useRef } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { compareOutlines, type MarkedGroup, type MarkedRow, type RowMark } from './tree-diff.ts'
import type { OrderConflict, OutlineMoves } from './use-outline-moves.ts'

interface OrderConflictDialogProps {
  conflict: OrderConflict
  onResolve: OutlineMoves['resolveConflict']
}

export function OrderConflictDialog({
  conflict: { ownOutline: userOutline, theirs },
  onResolve,
}: OrderConflictDialogProps) {
  const t = useT()
  const comparedOrders = compareOutlines(userOutline, theirs)
  const repeatButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open
      isWide
      onOpenChange={(isOpen) => !isOpen && onResolve('theirs')}
      title={t('learning.conflict')}
      description={t('learning.orderChanged')}
      initialFocus={repeatButton}
      actions={
        <>
          <Button onClick={() => onResolve('theirs')}>{t('learning.keepTheirs')}</Button>
          <Button ref={repeatButton} kind="primary" onClick={() => onResolve('again')}>
            {t('learning.moveAgain')}
          </Button>
        </>
      }
    >
      <div className="grid gap-x-6 gap-y-5 md:grid-cols-2">
        <OutlineOrder
          title={t('learning.yourOrder')}
          groups={comparedOrders.yourGroups}
          missing={t('learning.order.deleted')}
        />
        <OutlineOrder
          title={t('learning.theirOrder')}
          groups={comparedOrders.theirs}
          missing={t('learning.order.added')}
        />
      </div>
    </Dialog>
  )
}

interface OrderProps {
  title: string
  groups: readonly MarkedGroup[]
  /** Mark of a row that is missing in the other order of the outline. */
  missing: string
}

function OutlineOrder({ title, groups, missing }: OrderProps) {
  const t = useT()
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="border-b border-line pb-2 font-semibold">{title}</h3>
      <ol>
        {groups.map((group) => (
          <li key={group.key} className="py-1.5">
            <p className="flex flex-wrap items-baseline gap-x-2 font-semibold wrap-anywhere">
              {group.title ?? t('learning.noGroup')}
              <Mark mark={group.mark} missing={missing} />
            </p>
            <ol className="ps-3">
              {shortenRows(group).map((shownRow) =>
                'hidden' in shownRow ? (
                  <li key={shownRow.key} className="text-sm text-muted">
                    {t('learning.order.same', { count: shownRow.hidden })}
                  </li>
                ) : (
                  <li key={shownRow.key} className={cx('wrap-anywhere', !shownRow.mark && 'text-muted')}>
                    <span lang={shownRow.lesson.locale} className={cx(shownRow.mark && 'font-semibold')}>
                      {shownRow.lesson.title}
                    </span>{' '}
                    <Mark mark={shownRow.mark} missing={missing} />
                  </li>
                ),
              )}
            </ol>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Maximum number of unchanged rows in sequence that are named; a longer run is only counted. */
const maxNamedRows = 3

/** The rows of a group, with a count in place of a long run of rows that do not differ. */
function shortenRows({ key, rows }: MarkedGroup): (MarkedRow | { key: string; hidden: number })[] {
  const parts: (MarkedRow | { key: string; hidden: number })[] = []
  let run: MarkedRow[] = []
  const finishRun = () => {
    if (run.length > maxNamedRows) parts.push({ key: `${key}-${parts.length}`, hidden: run.length })
    else parts.push(...run)
    run = []
  }
  for (const row of rows) {
    if (row.mark) {
      finishRun()
      parts.push(row)
    } else run.push(row)
  }
  finishRun()
  return parts
}

function Mark({ mark, missing }: { mark: RowMark | undefined; missing: string }) {
  const t = useT()
  if (mark === undefined) return null
  return (
    <span
      className={cx(
        'rounded-1 px-1.5 text-xs font-semibold',
        mark === 'moved' ? 'bg-brand-soft text-on-brand-soft' : 'bg-warning-soft text-warning-text',
      )}
    >
      {mark === 'moved' ? t('learning.order.moved') : missing}
    </span>
  )
}
