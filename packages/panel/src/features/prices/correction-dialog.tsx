/**
 * Corrects one price of a published day, with a reason; the day stays published and the previous price is
 * stored.
 */
import { paramsOfFlag } from '@dala/model'
import type { RejectedCell } from '@dala/model/api/prices'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Field, FieldError } from '../../ui/inputs/field.tsx'
import { Input, Textarea } from '../../ui/inputs/input.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import type { CellBody } from './cell-edits.ts'
import { editPrices, type Prices, readCell, showPrices, rejectionMessage } from './cell-text.ts'
import type { PriceSpot } from './price-cell.tsx'

interface CorrectionDialogProps {
  /** Price cell to correct, which stays while the dialog closes. */
  spot: PriceSpot
  pricedate: number
  open: boolean
  onOpenChange: (isOpen: boolean) => void
}

export function CorrectionDialog({ spot, pricedate, open, onOpenChange }: CorrectionDialogProps) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const { cell, place, name } = spot
  const [text, setText] = useState(() => (cell ? editPrices(locale, cell) : ''))
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const [rejection, setRejection] = useState<RejectedCell>()
  const field = useRef<HTMLInputElement>(null)
  const parsedCell = readCell(text)
  const save = useMutation({
    meta: { inPlace: true, missed: t('prices.notSaved') },
    mutationFn: async ({ prices, confirm }: { prices: Prices; confirm: boolean }) => {
      const { product, district, unit } = place
      const body: CellBody = {
        product,
        district,
        ...prices,
        note: note.trim(),
        version: cell?.version ?? null,
        ...(unit !== null && { unit }),
        ...(confirm && { confirm }),
      }
      const data = { pricedate, market_type: place.market, cells: [body] }
      return (await callRoute('PUT /api/pricelists/grid', { body: { data } })).data
    },
    onSuccess: ({ rejected: [rejectedPrice] }) => {
      setRejection(rejectedPrice)
      if (rejectedPrice) return
      onOpenChange(false)
      showToast({ kind: 'success', title: t('prices.corrected') })
      void cache.invalidateQueries({ queryKey: ['resource'] })
    },
  })
  const problem = 'problem' in parsedCell ? parsedCell.problem : undefined
  const isBlank = note.trim() === ''
  const submitPrice = (confirm: boolean) => {
    setTried(true)
    if ('prices' in parsedCell && !isBlank) save.mutate({ prices: parsedCell.prices, confirm })
  }
  const rejectionText = rejection && messageOfRejection(rejection)
  const message = rejectionText ?? (save.error ? messageOfFailure(save.error) : undefined)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('prices.correct')}
      description={`${name}. ${t('prices.correct.text', { value: cell ? showPrices(locale, cell) || '—' : '—' })}`}
      initialFocus={field}
      actions={
        <>
          <Button onClick={() => onOpenChange(false)}>{t('action.cancel')}</Button>
          {rejection?.flag ? (
            <Button isBusy={save.isPending} onClick={() => submitPrice(true)}>
              {t('prices.keep')}
            </Button>
          ) : null}
          <Button kind="primary" type="submit" form="correction" isBusy={save.isPending}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <form
        id="correction"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submitPrice(false)
        }}
      >
        <Field label={t('field.price')} required error={isTried ? problem : undefined}>
          <Input
            ref={field}
            inputMode="decimal"
            autoComplete="off"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setRejection(undefined)
            }}
          />
        </Field>
        <Field label={t('prices.reason')} required error={isTried && isBlank ? t('validation.reason') : undefined}>
          <Textarea rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        {message ? (
          <div role="alert">
            <FieldError>{message}</FieldError>
          </div>
        ) : null}
        {rejection?.suggestion ? (
          <Button onClick={() => rejection.suggestion && setText(editPrices(locale, rejection.suggestion))}>
            {t('prices.correctTo', { value: showPrices(locale, rejection.suggestion) })}
          </Button>
        ) : null}
      </form>
    </Dialog>
  )

  function messageOfRejection({ code, params, message, flag }: RejectedCell): string {
    return rejectionMessage(code, flag ? paramsOfFlag(flag, locale) : params, message)
  }
}
