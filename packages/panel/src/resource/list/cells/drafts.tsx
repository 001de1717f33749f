/** Unsaved cells of a list: their text with its error, and the bar that saves, corrects or discards them. */
import type { Entry } from '@dala/model'
import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { LeaveQuestion } from '../../leave-question.tsx'
import { cellOf, type CellPlace, keyOf } from './grid.ts'
import type { Draft } from './cell-draft.ts'
import type { CellSaving } from './use-cell-saving.ts'
import { useRowElements } from '../row-actions/use-row-elements.ts'

interface CellDraftsProps {
  root: HTMLElement
  entries: readonly Entry[]
  cellSaving: CellSaving
  onMend: (cellPlace: CellPlace) => void
}

export function CellDrafts({ root, entries, cellSaving: saving, onMend }: CellDraftsProps) {
  const t = useT()
  const drafts = [...saving.drafts.values()]
  if (drafts.length === 0) return null
  const validDrafts = drafts.filter(({ fault }) => fault === undefined)
  const invalidDrafts = drafts.filter(({ fault }) => fault !== undefined)
  const nextInvalidDraft = invalidDrafts.find(({ place: cellPlace }) => entries.some(({ id }) => id === cellPlace.id))
  // The bar of unsaved cells is at the lower edge of the window, like the save bar of forms.
  const page = root.closest('section')?.parentElement
  const bar = (
    <section
      aria-label={t('bulk.cellsNotSaved', { count: drafts.length })}
      className="save-bar flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-surface px-6 py-3 max-md:px-3.5"
    >
      <output className="me-auto">
        <b>{t('bulk.cellsNotSaved', { count: drafts.length })}</b>
        {invalidDrafts.length > 0 ? (
          <span className="ms-2 text-danger-text">{t('bulk.cellsFaulty', { count: invalidDrafts.length })}</span>
        ) : null}
        {invalidDrafts.length === 1 ? (
          <span className="block text-sm text-muted">{invalidDrafts[0]?.fault}</span>
        ) : null}
      </output>
      <Button kind="quiet" onClick={() => saving.drop(drafts)}>
        {t('bulk.cellsBack')}
      </Button>
      {nextInvalidDraft ? <Button onClick={() => onMend(nextInvalidDraft.place)}>{t('bulk.cellsMend')}</Button> : null}
      {validDrafts.length > 0 ? (
        <Button kind="primary" isBusy={saving.isSaving} onClick={() => void saving.send(validDrafts)}>
          {t('bulk.cellsSave', { count: validDrafts.length })}
        </Button>
      ) : null}
    </section>
  )
  return (
    <>
      {drafts.map((draft) => (
        <CellPortal key={keyOf(draft.place)} root={root} at={draft.place}>
          <DraftText draft={draft} />
        </CellPortal>
      ))}
      {page ? createPortal(bar, page) : null}
      <LeaveQuestion isUnsaved={() => true} onUnload onLeave={() => saving.drop(drafts)} />
    </>
  )
}

function DraftText({ draft: { words, fault } }: { draft: Draft }) {
  const t = useT()
  return (
    <span
      className={cx(
        'draft-words absolute inset-0 flex items-center gap-1.5 overflow-hidden px-2.5 text-start',
        fault === undefined ? 'bg-warning-soft text-warning-text' : 'bg-danger-soft text-danger-text',
      )}
      {...(fault !== undefined && { 'data-tip': fault })}
    >
      {fault === undefined ? null : <CircleAlert size={15} aria-hidden className="shrink-0" />}
      <span className="sr-only">{t('bulk.cellsUnsaved', { words: '' })}</span>
      <bdi className="truncate">{words}</bdi>
      {fault === undefined ? null : <span className="sr-only">. {fault}</span>}
    </span>
  )
}

/** Renders content into a cell of the table; the table's own React tree does not change. */
function CellPortal({ root, at, children }: { root: HTMLElement; at: CellPlace; children: ReactNode }) {
  useRowElements(root)
  const cell = cellOf(root, at)
  return cell && createPortal(children, cell)
}
