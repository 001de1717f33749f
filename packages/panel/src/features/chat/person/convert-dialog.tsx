/**
 * Creates a draft from chosen messages: a consultation, or a question with its answer; the server masks
 * private data.
 */
import { type ConversionAnswer, isLocale, localeNames, locales, type Locale, resources } from '@dala/model'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { nameOfCard, messageOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { labelOf } from '../../../fields/field-display.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LoadedPart } from '../../../resource/part.tsx'
import { editAddress, findScreen, recordAddress } from '../../../resource/screen-address.ts'
import { useMay } from '../../../resource/use-may.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureLine, Field, FieldError } from '../../../ui/inputs/field.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import type { OpenRoom } from '../chat-data.ts'
import { convertibleQuery } from './room-details.ts'

type Target = 'consultation' | 'faq'

export interface ConvertDialogProps {
  room: OpenRoom
  open: boolean
  onClose: () => void
}

export function ConvertDialog({ room, open, onClose }: ConvertDialogProps) {
  const t = useT()
  const reader = useLocale()
  const obstacle = useObstacle()
  const navigate = useNavigate()
  const mayCreateFaq = useMay(resources.faqs)('create')
  const messages = useQuery({ ...convertibleQuery(room.id), enabled: open })
  const [targetKind, setTo] = useState<Target>('consultation')
  const [locale, setLocale] = useState<Locale>(room.language ?? reader)
  const [selectedIds, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isSubmitted, setSubmitted] = useState(false)
  const convertMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: () =>
      callRoute('POST /api/chatrooms/:id/convert', {
        params: { id: room.id },
        body: { data: { to: targetKind, message_ids: [...selectedIds].toSorted((one, other) => one - other), locale } },
      }),
    onSuccess: ({ meta }) =>
      showToast({ kind: 'success', title: t(meta.duplicate ? 'chat.convertedBefore' : 'chat.converted') }),
  })
  const goTo = ({ data: { resource, id } }: ConversionAnswer) => {
    onClose()
    void navigate(
      resource === 'faqs'
        ? editAddress(findScreen('settings/faqs'), id)
        : recordAddress(findScreen('consultation'), id),
    )
  }
  /** Closes the dialog, after which the panel does not navigate to the draft. */
  const closeDialog = () => {
    convertMutation.reset()
    onClose()
  }
  const toggleMessage = (id: number) => {
    const newSelection = new Set(selectedIds)
    if (!newSelection.delete(id)) newSelection.add(id)
    setSelected(newSelection)
  }
  const submitMessages = () => {
    setSubmitted(true)
    if (selectedIds.size > 0 && !convertMutation.isPending) convertMutation.mutate(undefined, { onSuccess: goTo })
  }
  return (
    <Dialog
      isWide
      open={open}
      onOpenChange={(isOpen) => !isOpen && closeDialog()}
      title={t('chat.convertTitle')}
      description={t('chat.convertText')}
      actions={
        <>
          <Button onClick={closeDialog}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            isBusy={convertMutation.isPending}
            disabled={obstacle ?? false}
            onClick={submitMessages}
          >
            {t('chat.convertMake')}
          </Button>
        </>
      }
    >
      <div className="grid gap-[18px]">
        <div className="flex flex-wrap items-end gap-4">
          {mayCreateFaq ? (
            <SegmentedControl
              label={t('chat.convertTo')}
              value={targetKind}
              onValueChange={setTo}
              segments={[
                { value: 'consultation', label: t('consultations.one') },
                { value: 'faq', label: t('faqs.one') },
              ]}
            />
          ) : null}
          <Field label={labelOf(resources.chatrooms, 'language')} className="min-w-44">
            <Select
              value={locale}
              onValueChange={(value) => isLocale(value) && setLocale(value)}
              choices={locales.map((value) => ({ value, label: localeNames[value], lang: value }))}
            />
          </Field>
        </div>
        <fieldset className="grid min-w-0 gap-1.5">
          <legend className="pb-1.5 text-sm font-medium">{t('chat.convertMessages')}</legend>
          <LoadedPart query={messages}>
            {(list) =>
              list.length === 0 ? (
                <p className="text-muted">{t('empty.noMessages')}</p>
              ) : (
                <ul className="grid max-h-[40dvh] gap-px overflow-y-auto rounded-2 border border-line">
                  {list.map(({ id, sender, text, createdAt }) => (
                    <li key={id}>
                      <label className="flex cursor-pointer items-start gap-2 px-2 py-1.5 hover:bg-hover has-checked:bg-brand-soft has-checked:text-on-brand-soft">
                        <span className="check-target shrink-0">
                          <input
                            type="checkbox"
                            className="check"
                            aria-label={`${nameOfCard(sender)}: ${text ?? ''}`}
                            checked={selectedIds.has(id)}
                            onChange={() => toggleMessage(id)}
                          />
                        </span>
                        <span className="grid min-w-0 gap-0.5 py-1">
                          <span className="text-xs">
                            <bdi>{nameOfCard(sender)}</bdi> · {formatDateTime(createdAt)}
                          </span>
                          <span dir="auto" className="text-sm wrap-anywhere whitespace-pre-wrap">
                            {text}
                          </span>
                        </span>
                      </label>
                    </li>
                  ))}
                </ul>
              )
            }
          </LoadedPart>
          {isSubmitted && selectedIds.size === 0 ? <FieldError>{t('chat.convertNone')}</FieldError> : null}
        </fieldset>
        <FailureLine>{convertMutation.error ? messageOfFailure(convertMutation.error) : undefined}</FailureLine>
      </div>
    </Dialog>
  )
}
