/** Starts a chat: the user chooses whom to write to; an existing room of the pair is opened. */
import { type Entry, resources, type Screen } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { callRoute } from '../../../api/route.ts'
import { RelatedInput } from '../../../fields/relation/related-input.tsx'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, FieldError } from '../../../ui/inputs/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { Reader } from '../reader.ts'
import { isStaff } from '../desk-search.ts'

const { chatrooms, users } = resources

const idOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : undefined

export function NewRoom({
  screen,
  reader,
  onBack,
}: {
  screen: Screen
  reader: Reader
  onBack: (() => void) | undefined
}) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [person, setPerson] = useState<unknown>(null)
  const [isSubmitted, setSubmitted] = useState(false)
  const openMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: async (id: number) => {
      // Staff write to anybody: they ask a consultant, and answer a customer. Other users see consultants
      // only.
      const selectedPerson: Entry | undefined = isStaff(reader)
        ? await cache.query(resourceQueries(users).one(id, locale))
        : undefined
      const answers = selectedPerson !== undefined && selectedPerson.is_consultant !== true
      const data = answers ? { sender: id, receiver: reader.id } : { receiver: id }
      return callRoute('POST /api/chatrooms', { body: { data } })
    },
    onSuccess: () => void cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] }),
  })
  // The user may have opened another room while the new one was created.
  const goTo = ({ data: { id } }: { data: { id: number } }) =>
    void navigate({ to: `/app/${screen.path}/${id}`, replace: true })
  const id = idOf(person)
  return (
    <form
      className="grid min-h-0 content-start gap-4 overflow-y-auto px-6 py-5 max-md:px-3.5"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (id !== undefined && !openMutation.isPending) openMutation.mutate(id, { onSuccess: goTo })
      }}
    >
      <div className="flex items-center gap-2">
        {onBack ? (
          <IconButton
            label={t('action.back')}
            icon={<ArrowLeft size={19} aria-hidden className="mirrored" />}
            onClick={onBack}
          />
        ) : null}
        <h2 className="text-xl font-semibold">{t('chat.newTitle')}</h2>
      </div>
      <p className="max-w-[56ch] text-muted">{t('chat.newText')}</p>
      <Field
        label={t('chat.newTo')}
        required
        className="max-w-md"
        error={isSubmitted && id === undefined ? t('validation.relation') : undefined}
      >
        <RelatedInput field={chatrooms.fields.receiver} value={person} onChange={setPerson} />
      </Field>
      {openMutation.error ? (
        <div role="alert">
          <FieldError>{messageOfFailure(openMutation.error)}</FieldError>
        </div>
      ) : null}
      <Button kind="primary" type="submit" isBusy={openMutation.isPending} className="justify-self-start">
        {t('action.open')}
      </Button>
    </form>
  )
}
