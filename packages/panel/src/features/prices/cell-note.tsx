/** Below a price: what is wrong with it, else the published day before and the change. */
import { choiceLabel, resources } from '@dala/model'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CopyMinus from 'lucide-react/icons/copy-minus'
import Equal from 'lucide-react/icons/equal'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { tFirst, useLocale, useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { CellEdit, CellEdits } from './cell-edits.ts'
import { readCell, showPrices } from './cell-text.ts'
import { changeOf, type GridCell } from './price-grid.ts'

interface CellNoteProps {
  id: string
  edits: CellEdits
  cell: GridCell | undefined
  cellId: string
  edit: CellEdit | undefined
  isSaved: boolean
  price: number | null
  unit: number | null
}

export function CellNote({ id, edits, cellId, edit, isSaved, cell, price, unit }: CellNoteProps) {
  const t = useT()
  const locale = useLocale()
  if (edit?.state === 'clash' && edit.theirs) {
    const read = readCell(edit.text)
    const mine = 'prices' in read ? showPrices(locale, read.prices) : edit.text
    return (
      <div id={id} role="alert" className="mt-1 grid justify-items-end gap-0.5 text-xs text-warning-text">
        <span className="max-w-[18ch]">{t('prices.clash')}</span>
        <LinkButton onClick={() => edits.settle(cellId, 'theirs')}>
          {t('prices.theirs', { value: showPrices(locale, edit.theirs) || '—' })}
        </LinkButton>
        <LinkButton onClick={() => edits.settle(cellId, 'mine')}>{t('prices.mine', { value: mine || '—' })}</LinkButton>
      </div>
    )
  }
  if (edit?.state === 'wrong' || edit?.state === 'failed' || edit?.state === 'kept') {
    return (
      <div id={id} className="mt-1 grid justify-items-end gap-0.5 text-xs text-danger-text">
        <span className="inline-flex max-w-[20ch] items-start gap-1 text-end">
          <CircleAlert size={13} aria-hidden className="mt-0.5 shrink-0" />
          {edit.problem ?? t('prices.notSaved')}
        </span>
        {edit.state === 'wrong' ? null : (
          <LinkButton onClick={() => edits.retry(cellId)}>{t('action.retry')}</LinkButton>
        )}
      </div>
    )
  }
  const isBusy = edit?.state === 'saving' || edit?.state === 'waiting'
  const change = cell?.price === price ? (cell?.change_pct ?? null) : changeOf(price, unit, cell?.prev ?? null)
  return (
    <div id={id} className="mt-0.5 flex min-h-4 items-center justify-end gap-1.5 text-xs text-muted tabular-nums">
      {isBusy ? <Spinner /> : isSaved ? <Check size={13} aria-hidden className="text-success-text" /> : null}
      <span className="sr-only">{isBusy ? t('prices.saving') : isSaved ? t('prices.saved') : ''}</span>
      <Flags cell={isSaved ? undefined : cell} />
      {cell?.prev ? (
        <span data-tip={t('prices.before', { date: formatDate(cell.prev.date) })}>
          <span className="sr-only">{t('prices.before', { date: formatDate(cell.prev.date) })} </span>
          {formatNumber(locale, cell.prev.price)}
        </span>
      ) : null}
      {change === null ? null : <Change percent={change} />}
    </div>
  )
}

function Change({ percent }: { percent: number }) {
  const t = useT()
  const locale = useLocale()
  const Icon = percent > 0 ? ArrowUp : percent < 0 ? ArrowDown : Equal
  return (
    <span className="inline-flex items-center gap-px whitespace-nowrap">
      <Icon size={12} aria-hidden />
      <span className="sr-only">
        {t(percent > 0 ? 'price.rising' : percent < 0 ? 'price.falling' : 'price.stable')}
      </span>
      {percent === 0 ? null : `${formatNumber(locale, Math.abs(percent))} %`}
    </span>
  )
}

/** Carried over, to be checked, confirmed: a sign with its word. */
function Flags({ cell }: { cell: GridCell | undefined }) {
  const word = (field: string, value: string) => tFirst(choiceLabel(resources.pricelists, field, value))
  if (!cell) return null
  return (
    <>
      {cell.origin === 'carried' && cell.price !== null ? (
        <span data-tip={word('origin', 'carried')}>
          <CopyMinus size={12} aria-hidden />
          <span className="sr-only">{word('origin', 'carried')}</span>
        </span>
      ) : null}
      {cell.state === 'check' ? (
        <span className="inline-flex items-center gap-0.5 text-warning-text">
          <TriangleAlert size={12} aria-hidden />
          {word('state', 'check')}
        </span>
      ) : null}
      {cell.state === 'confirmed' ? <span>{word('state', 'confirmed')}</span> : null}
    </>
  )
}
