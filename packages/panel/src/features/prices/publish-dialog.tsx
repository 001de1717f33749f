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
import type { CellEdit, CellEdits, CellGoal } from './cell-edits.ts'
import { reviewQuery } from './review.ts'

interface PublishDialogProps {
  record: Entry
  edits: CellEdits
  open: boolean
  onOpenChange: (open: boolean) => void
  busy: boolean
  /** Why the last attempt failed. */
  failure: string | undefined
  onPublish: () => void
}

/** Maximum number of cells that a line names; the others are counted. */
const mostNamed = 3

/** Product and district of an unsaved cell, from the tables in the cache. */
function useNames() {
  const cache = useQueryClient()
  return ({ product, district }: CellGoal): string => {
    for (const [, grid] of cache.getQueriesData<GridAnswer>({ queryKey: ['resource', 'pricelists', 'grid'] })) {
      const found = [
        grid?.data.products.find(({ id }) => id === product)?.name,
        grid?.data.districts.find(({ id }) => id === district)?.name,
      ]
      if (found.every((name) => name !== undefined)) return found.join(', ')
    }
    return ''
  }
}

const goalOf = ({ product, district, region, market_type }: PriceReview['confirm'][number]): CellGoal => ({
  product: product.id,
  district: district.id,
  region,
  market: market_type,
})

export function PublishDialog(props: PublishDialogProps) {
  const { record, edits, open, onOpenChange, busy, failure, onPublish } = props
  const t = useT()
  const locale = useLocale()
  useSyncExternalStore(edits.subscribe, edits.version)
  const nameOf = useNames()
  const { data: review, error } = useQuery({ ...reviewQuery(record.id, locale), enabled: open })
  const [withMissing, setMissing] = useState(false)
  const [withCarried, setCarried] = useState(false)
  const goal = useRef<CellGoal>(undefined)
  const unsaved = edits.unsaved()
  const blocking = unsaved.length + (review?.counts.confirm ?? 0)
  const first = unsaved[0]?.place ?? (review?.confirm[0] && goalOf(review.confirm[0]))
  const show = (wanted: CellGoal | undefined) => {
    goal.current = wanted
    onOpenChange(false)
  }
  const isAllowed =
    review && (review.counts.missing === 0 || withMissing) && (review.counts.carried === 0 || withCarried)
  const why =
    blocking > 0 ? t('prices.publish.blocked', { count: blocking }) : isAllowed ? false : t('prices.publish.tick')
  return (
    <Dialog
      medium
      open={open}
      onOpenChange={(isOpen) => {
        goal.current = undefined
        onOpenChange(isOpen)
      }}
      // The focus moves to the cell that is shown.
      returnsFocus={() => goal.current === undefined}
      onClosed={() => {
        if (goal.current) edits.lead(goal.current)
      }}
      title={t('prices.publish.title', { date: formatDate(String(record['date'])) })}
      description={review ? <Outcome review={review} unsaved={unsaved.length} /> : undefined}
      actions={
        <>
          {blocking > 0 ? (
            <span className="me-auto max-w-[22ch] text-sm text-muted">
              {t('prices.publish.blocked', { count: blocking })}
            </span>
          ) : null}
          <Button onClick={() => show(undefined)}>{t('action.cancel')}</Button>
          <Button
            kind={blocking > 0 ? 'plain' : 'primary'}
            busy={busy}
            disabled={review ? why : t('prices.publish.counting')}
            onClick={onPublish}
          >
            {t('action.publish')}
          </Button>
          {blocking > 0 ? (
            <Button kind="primary" onClick={() => show(first)}>
              {t('prices.publish.toFirst', { count: blocking })}
            </Button>
          ) : null}
        </>
      }
    >
      {review ? (
        <ul className="grid divide-y divide-line border-y border-line empty:hidden">
          <Line
            count={unsaved.length}
            title={t('prices.publish.unsaved')}
            chip={{ words: t('prices.publish.blocks', { count: unsaved.length }), isRed: true }}
            text={unsaved
              .slice(0, mostNamed)
              .map((edit) => unsavedWords(nameOf(edit.place), edit))
              .join('. ')}
            onShow={() => show(unsaved[0]?.place)}
          />
          <Line
            count={review.counts.confirm + review.counts.look}
            title={t('prices.publish.flagged')}
            chip={
              review.counts.confirm > 0
                ? { words: t('prices.publish.blocks', { count: review.counts.confirm }), isRed: true }
                : { words: t('prices.publish.withoutThem') }
            }
            text={[listed(t('prices.legend.confirm'), review.confirm), listed(t('prices.legend.look'), review.look)]
              .filter(Boolean)
              .join('. ')}
            onShow={() => show([...review.confirm, ...review.look].map(goalOf)[0])}
          />
          <Line
            count={review.counts.missing}
            title={t('prices.publish.missing')}
            chip={{ words: t('prices.publish.withoutThem') }}
            text={review.gaps
              .slice(0, mostNamed)
              .map(({ district, count }) => `${district.name} ${formatNumber(locale, count)}`)
              .join(', ')}
            tick={{
              words: t('prices.publish.allowMissing', { count: review.counts.missing }),
              checked: withMissing,
              onChange: setMissing,
            }}
            onShow={() => show(review.missing.map(goalOf)[0])}
          />
          <Line
            count={review.counts.carried}
            title={t('prices.publish.carried')}
            chip={{ words: t('prices.publish.unconfirmed') }}
            text={t('prices.publish.carriedText')}
            tick={{ words: t('prices.publish.allowCarried'), checked: withCarried, onChange: setCarried }}
            onShow={() => show(review.carried.map(goalOf)[0])}
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

  function unsavedWords(name: string, edit: CellEdit): string {
    return `${name}: «${edit.text}» ${edit.problem ?? t('prices.notSaved')}`
  }
  function listed(title: string, cells: PriceReview['confirm']): string {
    if (cells.length === 0) return ''
    const names = cells
      .slice(0, mostNamed)
      .map(({ product, price }) => `${product.name} ${formatNumber(locale, price ?? 0)}`)
    return `${title}: ${names.join(', ')}`
  }
}

/** The summary of the prices that would be published now. */
function Outcome({ review, unsaved }: { review: PriceReview; unsaved: number }) {
  const t = useT()
  const locale = useLocale()
  const { expected, entered, look, carried, confirm, missing } = review.counts
  if (unsaved + confirm + look + missing + carried === 0) return t('prices.publish.all', { count: expected })
  const out = formatNumber(locale, entered + look + carried)
  return t('prices.publish.some', { filled: out, all: formatNumber(locale, expected) })
}

interface LineProps {
  count: number
  title: string
  chip: { words: string; isRed?: true }
  text: string
  tick?: { words: string; checked: boolean; onChange: (checked: boolean) => void }
  onShow: () => void
}

/** The line of one kind of cells; omitted if there are none. */
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
          {chip.words}
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
            {tick.words}
          </label>
        ) : null}
      </div>
      <LinkButton onClick={onShow}>{t('prices.show')}</LinkButton>
    </li>
  )
}
