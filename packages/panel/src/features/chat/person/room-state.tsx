/**
 * The state of a room with its allowed transitions, and its description: category, region, language and tags.
 */
import { type Entry, isLocale, localeNames, locales, resources, type RoomState } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { type Draft, resourceQueries } from '../../../api/resource-queries.ts'
import { callRoute } from '../../../api/route.ts'
import { labelOf } from '../../../fields/field-display.tsx'
import { RelatedInput, RelatedListInput } from '../../../fields/relation/related-input.tsx'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/dialog.tsx'
import { Field, FieldError } from '../../../ui/inputs/field.tsx'
import { Textarea } from '../../../ui/inputs/input.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import type { OpenRoom } from '../chat-data.ts'
import { expectOwnRevision } from '../live/use-room-log.ts'
import { nextRoomStates } from '../room-permissions.ts'
import { isFocusFree } from '../thread/focus.ts'

const { chatrooms } = resources

function useRoomUpdate({ id, version }: OpenRoom) {
  const cache = useQueryClient()
  return useMutation({
    meta: { inPlace: true },
    mutationFn: (draft: Draft) => resourceQueries(chatrooms).update(id, { ...draft, version }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
}

function StepFailure({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <div role="alert">
      <FieldError>{messageOfFailure(error)}</FieldError>
    </div>
  )
}

/** Changes the state of a room; the reason is stored in its history (chat §4). */
function useStateStep({ id }: OpenRoom) {
  const cache = useQueryClient()
  return useMutation({
    meta: { inPlace: true },
    mutationFn: (data: { state: RoomState; reason?: string }) =>
      callRoute('POST /api/chatrooms/:id/state', { params: { id }, body: { data } }),
    onSuccess: ({ rev }) => expectOwnRevision(cache, id, rev),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
}

interface RoomStepsProps {
  room: OpenRoom
  /** Whether the user may end the customer's wait without a reply. */
  mayEndWait: boolean
}

export function RoomSteps({ room, mayEndWait }: RoomStepsProps) {
  const t = useT()
  const changeState = useStateStep(room)
  const [isReasonOpen, setReasonOpen] = useState(false)
  const [reason, setReason] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const steps = nextRoomStates(room.state)
  // The pressed button disappears when the state of the room changes, so the frame takes the focus.
  const restoreFocus = () => {
    if (isFocusFree()) frame.current?.focus({ preventScroll: true })
  }
  const settleState = useEffectEvent(() => {
    if (!changeState.isIdle) restoreFocus()
  })
  useEffect(() => settleState(), [room.state])
  const closeReason = () => {
    setReasonOpen(false)
    setReason('')
  }
  const trimmedReason = reason.trim()
  return (
    <div ref={frame} tabIndex={-1} className="grid gap-2 rounded-1">
      <div className="flex flex-wrap gap-2 empty:hidden">
        {steps.map((targetState) => (
          <Button
            key={targetState}
            isBusy={changeState.isPending && changeState.variables.state === targetState}
            disabled={changeState.isPending && changeState.variables.state !== targetState && t('form.isSaving')}
            onClick={() =>
              targetState === 'closed' ? setReasonOpen(true) : changeState.mutate({ state: targetState })
            }
          >
            {t(`chat.state.${targetState}`)}
          </Button>
        ))}
        {mayEndWait && room.waiting_since !== null ? (
          <EndWait key={room.id} room={room} onEnded={restoreFocus} />
        ) : null}
      </div>
      {isReasonOpen ? null : <StepFailure error={changeState.error} />}
      <ConfirmDialog
        open={isReasonOpen}
        onOpenChange={(staysOpen) => !staysOpen && closeReason()}
        // The dialog for the reason returns the focus to a button that may no longer exist.
        onClosed={() => setTimeout(restoreFocus)}
        title={t('chat.state.closed')}
        description={t('chat.closeText')}
        confirmLabel={t('chat.state.closed')}
        isBusy={changeState.isPending}
        failure={changeState.error ? messageOfFailure(changeState.error) : undefined}
        onConfirm={() =>
          changeState.mutate(
            { state: 'closed', ...(trimmedReason && { reason: trimmedReason }) },
            { onSuccess: closeReason },
          )
        }
      >
        <Field label={t('chat.reasonIfAny')}>
          <Textarea rows={2} maxLength={255} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </ConfirmDialog>
    </div>
  )
}

/** Ends the wait of a customer whose last message needs no reply, with a reason if there is one. */
function EndWait({ room: { id }, onEnded }: { room: OpenRoom; onEnded: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const endWait = useMutation({
    meta: { inPlace: true },
    mutationFn: () => {
      const data = reason.trim() ? { reason: reason.trim() } : {}
      return callRoute('POST /api/chatrooms/:id/no-reply', { params: { id }, body: { data } })
    },
    onSuccess: ({ rev }) => {
      expectOwnRevision(cache, id, rev)
      setOpen(false)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('chat.noReply')}</Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={(staysOpen) => !staysOpen && setOpen(false)}
        // The button of the dialog disappears together with the wait.
        onClosed={() => setTimeout(onEnded)}
        title={t('chat.noReply')}
        description={t('chat.noReplyText')}
        confirmLabel={t('chat.noReply')}
        isBusy={endWait.isPending}
        failure={endWait.error ? messageOfFailure(endWait.error) : undefined}
        onConfirm={() => endWait.mutate()}
      >
        <Field label={t('chat.reasonIfAny')}>
          <Textarea rows={2} maxLength={1000} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </ConfirmDialog>
    </>
  )
}

/** Option of a select for no language. */
const unknownLanguage = 'unknown'

const idOf = (value: unknown): number | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : null

interface Description {
  category: unknown
  region: unknown
  language: OpenRoom['language']
  tags: unknown
}

export function RoomDescription({ room }: { room: OpenRoom }) {
  const t = useT()
  const save = useRoomUpdate(room)
  const form = useRef<HTMLFormElement>(null)
  // The draft of a room's description has only the fields that this user changed: the others follow the edits
  // of colleagues.
  const [edits, setEdits] = useState<Partial<Description>>({})
  const edit = (newEdits: Partial<Description>) => setEdits((formerEdits) => ({ ...formerEdits, ...newEdits }))
  const { category, region, language, tags }: Description = {
    category: room.category,
    region: room.region,
    language: room.language,
    tags: room.tags,
    ...edits,
  }
  const tagIds = (Array.isArray(tags) ? tags : []).flatMap((tag: unknown) => idOf(tag) ?? [])
  const isSame =
    idOf(category) === idOf(room.category) &&
    idOf(region) === idOf(room.region) &&
    language === room.language &&
    tagIds.join() === room.tags.map(({ id }: Entry) => id).join()
  // The save button of the description disappears after the save, so the form takes the focus.
  const settleState = useEffectEvent(() => {
    if (isSame && !save.isIdle && isFocusFree()) form.current?.focus({ preventScroll: true })
  })
  useEffect(() => settleState(), [isSame])
  return (
    <form
      ref={form}
      tabIndex={-1}
      aria-label={t('chat.description')}
      className="grid gap-3 rounded-1"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(
          { category: idOf(category), region: idOf(region), language, tags: tagIds },
          { onSuccess: () => setEdits((now) => (now === edits ? {} : now)) },
        )
      }}
    >
      <Field label={labelOf(chatrooms, 'category')}>
        <RelatedInput
          field={chatrooms.fields.category}
          value={category}
          onChange={(value) => edit({ category: value })}
        />
      </Field>
      <Field label={labelOf(chatrooms, 'region')}>
        <RelatedInput field={chatrooms.fields.region} value={region} onChange={(value) => edit({ region: value })} />
      </Field>
      <Field label={labelOf(chatrooms, 'language')}>
        <Select
          value={language ?? unknownLanguage}
          onValueChange={(value) => edit({ language: isLocale(value) ? value : null })}
          choices={[
            { value: unknownLanguage, label: t('chat.noLanguage') },
            ...locales.map((value) => ({ value, label: localeNames[value], lang: value })),
          ]}
        />
      </Field>
      <Field label={labelOf(chatrooms, 'tags')}>
        <RelatedListInput field={chatrooms.fields.tags} value={tags} onChange={(value) => edit({ tags: value })} />
      </Field>
      <StepFailure error={save.error} />
      {isSame ? null : (
        <Button kind="primary" type="submit" isBusy={save.isPending} className="justify-self-start">
          {t('action.save')}
        </Button>
      )}
    </form>
  )
}
