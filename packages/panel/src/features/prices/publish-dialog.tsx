/** The confirmation before a day is published: blocking cells, acceptable gaps, and links to each. */
import type { Entry } from '@dala/model'
import type { PriceReview } from '@dala/model/api/price-dates'
import type { GridAnswer } from '@dala/model/api/prices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { CellEdit, CellEdits, CellTarget } from './cell-edits.ts'
import { reviewQuery } from './review.ts'

interface PublishDialogProps {
  record: Entry
  edits: CellEdits
  open: boolean
  onOpenChange: (isShown: boolean) => void
  isBusy: boolean
  /** Reason why the last attempt to publish the day failed. */
  failure: string | undefined
  onPublish: () => void
}

/** Maximum number of price cells that a line names; the others are counted. */
const maxNamedCells = 3

/** Product and district of an unsaved price cell, from the tables in the cache. */
function useNames() {
  const cache = useQueryClient()
  return ({ product, district }: CellTarget): string => {
    for (const [, grid] of cache.getQueriesData<GridAnswer>({ queryKey: ['resource', 'pricelists', 'grid'] })) {
      const foundProblems = [
        grid?.data.products.find(({ id }) => id === product)?.name,
        grid?.data.districts.find(({ id }) => id === district)?.name,
      ]
      if (foundProblems.every((name) => name !== undefined)) return foundProblems.join(', ')
    }
    return ''
  }
}

const targetOf = ({ product, district, region, market_type }: PriceReview['confirm'][number]): CellTarget => ({
  product: product.id,
  district: district.id,
  region,
  market: market_type,
})

export function PublishDialog(props: PublishDialogProps) {
  const { record, edits, open, onOpenChange, isBusy: isPublishing, failure, onPublish } = props
  const t = useT()
  const locale = useLocale()
  useSyncExternalStore(edits.subscribe, edits.version)
  const nameOf = useNames()
  const { data: review, error } = useQuery({ ...reviewQuery(record.id, locale), enabled: open })
  const [includesMissing, setIncludesMissing] = useState(false)
  const [includesCarried, setIncludesCarried] = useState(false)
  const pendingTarget = useRef<CellTarget>(undefined)
  const unsavedCells = edits.unsaved()
  const blockingCount = unsavedCells.length + (review?.counts.confirm ?? 0)
  const firstTarget = unsavedCells[0]?.place ?? (review?.confirm[0] && targetOf(review.confirm[0]))
  const show = (target: CellTarget | undefined) => {
    pendingTarget.current = target
    onOpenChange(false)
  }
  const isAllowed =
    review && (review.counts.missing === 0 || includesMissing) && (review.counts.carried === 0 || includesCarried)
  const disabledReason =
    blockingCount > 0
      ? t('prices.publish.blocked', { count: blockingCount })
      : isAllowed
        ? false
        : t('prices.publish.tick')
  return (
    <Dialog
      isMedium
      open={open}
      onOpenChange={(isOpen) => {
        pendingTarget.current = undefined
        onOpenChange(isOpen)
      }}
      // The focus returns to the publish button unless a cell was chosen in the dialog: that cell takes it.
      finalFocus={() => pendingTarget.current === undefined}
      onClosed={() => {
        if (pendingTarget.current) edits.setTarget(pendingTarget.current)
      }}
      title={t('prices.publish.title', { date: formatDate(String(record['date'])) })}
      description={review ? <Outcome review={review} unsaved={unsavedCells.length} /> : undefined}
      actions={
        <>
          {blockingCount > 0 ? (
            <span className="me-auto max-w-[22ch] text-sm text-muted">
              {t('prices.publish.blocked', { count: blockingCount })}
            </span>
          ) : null}
          <Button onClick={() => show(undefined)}>{t('action.cancel')}</Button>
          <Button
            kind={blockingCount > 0 ? 'plain' : 'primary'}
            isBusy={isPublishing}
            disabled={review ? disabledReason : t('prices.publish.counting')}
            onClick={onPublish}
          >
            {t('action.publish')}
          </Button>
          {blockingCount > 0 ? (
            <Button kind="primary" onClick={() => show(firstTarget)}>
              {t('prices.publish.toFirst', { count: blockingCount })}
            </Button>
          ) : null}
        </>
      }
    >
      {review ? (
        <ul className="grid divide-y divide-line border-y border-line empty:hidden">
          <Line
            count={unsavedCells.length}
            title={t('prices.publish.unsaved')}
            chip={{ label: t('prices.publish.blocks', { count: unsavedCells.length }), isRed: true }}
            text={unsavedCells
              .slice(0, maxNamedCells)
              .map((edit) => unsavedText(nameOf(edit.place), edit))
              .join('. ')}
            onShow={() => show(unsavedCells[0]?.place)}
          />
          <Line
            count={review.counts.confirm + review.counts.look}
            title={t('prices.publish.flagged')}
            chip={
              review.counts.confirm > 0
                ? { label: t('prices.publish.blocks', { count: review.counts.confirm }), isRed: true }
                : { label: t('prices.publish.withoutThem') }
            }
            text={[cellList(t('prices.legend.confirm'), review.confirm), cellList(t('prices.legend.look'), review.look)]
              .filter(Boolean)
              .join('. ')}
            onShow={() => show([...review.confirm, ...review.look].map(targetOf)[0])}
          />
          <Line
            count={review.counts.missing}
            title={t('prices.publish.missing')}
            chip={{ label: t('prices.publish.withoutThem') }}
            text={review.gaps
              .slice(0, maxNamedCells)
              .map(({ district, count }) => `${district.name} ${formatNumber(locale, count)}`)
              .join(', ')}
            tick={{
              label: t('prices.publish.allowMissing', { count: review.counts.missing }),
              checked: includesMissing,
              onChange: setIncludesMissing,
            }}
            onShow={() => show(review.missing.map(targetOf)[0])}
          />
          <Line
            count={review.counts.carried}
            title={t('prices.publish.carried')}
            chip={{ label: t('prices.publish.unconfirmed') }}
            text={t('prices.publish.carriedText')}
            tick={{ label: t('prices.publish.allowCarried'), checked: includesCarried, onChange: setIncludesCarried }}
            onShow={() => show(review.carried.map(targetOf)[0])}
          />
        </ul>
      ) : error ? null : (
        <Skeleton className="h-24 w-full" />
      )}
      {(failure ?? error) ? (
        <div role="alert">
          <FieldError>{failure ?? (error ? messageOfFailure(error) : '')}</FieldError>
        </div>
      ) : null}
    </Dialog>
  )

  function unsavedText(name: string, edit: CellEdit): string {
    return `${name}: «${edit.text}» ${edit.problem ?? t('prices.notSaved')}`
  }
  function cellList(title: string, cells: PriceReview['confirm']): string {
    if (cells.length === 0) return ''
    const names = cells
      .slice(0, maxNamedCells)
      .map(({ product, price }) => `${product.name} ${formatNumber(locale, price ?? 0)}`)
    return `${title}: ${names.join(', ')}`
  }
}

/** Summary of the prices that publishing the day would publish. */
function Outcome({ review, unsaved }: { review: PriceReview; unsaved: number }) {
  const t = useT()
  const locale = useLocale()
  const { expected, entered, look, carried, confirm, missing } = review.counts
  if (unsaved + confirm + look + missing + carried === 0) return t('prices.publish.all', { count: expected })
  const filledText = formatNumber(locale, entered + look + carried)
  return t('prices.publish.some', { filled: filledText, all: formatNumber(locale, expected) })
}

interface LineProps {
  count: number
  title: string
  chip: { label: string; isRed?: true }
  text: string
  tick?: { label: string; checked: boolean; onChange: (checked: boolean) => void }
  onShow: () => void
}

/** Line of the publish dialog for one kind of price cells; omitted if there are no such cells. */
function Line({ count, title, chip, text, tick, onShow }: LineProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  if (count === 0) return null
  return (
    <li className="grid grid-cols-[56px_1fr_auto] items-baseline gap-x-3 py-3">
      <span className="text-end text-xl font-light tabular-nums">{formatNumber(locale, count)}</span>
      <div className="min-w-0">
        <span className="font-semibold">{title}</span>{' '}
        <span
          className={
            chip.isRed
              ? 'ms-1 inline-block rounded-1 border border-danger-text bg-danger-soft px-1.5 text-xs text-danger-text'
              : 'ms-1 inline-block rounded-1 border border-line-strong bg-sunken px-1.5 text-xs text-muted'
          }
        >
          {chip.label}
        </span>
        {text ? <p className="mt-0.5 text-sm text-muted">{text}</p> : null}
        {tick ? (
          <label className="mt-1.5 flex min-h-6 items-center gap-2.5 text-sm pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="check shrink-0"
              checked={tick.checked}
              onChange={(event) => tick.onChange(event.target.checked)}
            />
            {tick.label}
          </label>
        ) : null}
      </div>
      <LinkButton onClick={onShow}>{t('prices.show')}</LinkButton>
    </li>
  )
}
