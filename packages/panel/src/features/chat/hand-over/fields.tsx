/** The fields of the form that hands one or many rooms over: the new owner, and a note for them. */
import { resources } from '@dala/model'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { labelOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { Combobox, type ComboOption } from '../../../ui/inputs/combobox.tsx'
import { FailureLine, Field } from '../../../ui/inputs/field.tsx'
import { Textarea } from '../../../ui/inputs/input.tsx'
import { useAssignableAgents } from './assignable-agents.ts'

/**
 * State of the form that hands a chat room over; its `check` marks missing fields and returns the values, or
 * undefined.
 *
 * @param excludedIds - Users who are not offered.
 * @param isOpen - Whether the form is visible.
 */
export function useHandOver(excludedIds: readonly (number | undefined)[], isOpen: boolean) {
  const assignableAgents = useAssignableAgents([...excludedIds], isOpen)
  const [selectedAgent, setSelectedAgent] = useState<ComboOption | null>(null)
  const [note, setNote] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const takerId = typeof selectedAgent?.value === 'number' ? selectedAgent.value : undefined
  const check = () => {
    setSubmitted(true)
    return takerId === undefined || note.trim() === '' ? undefined : { to: takerId, note: note.trim() }
  }
  return {
    takers: assignableAgents,
    taker: selectedAgent,
    setTaker: setSelectedAgent,
    note,
    setNote,
    missing: { to: isSubmitted && takerId === undefined, note: isSubmitted && note.trim() === '' },
    check,
  }
}

export function HandOverFields({ form }: { form: ReturnType<typeof useHandOver> }) {
  const t = useT()
  const { takers, taker, setTaker, note, setNote, missing } = form
  return (
    <>
      <Field
        label={labelOf(resources.consultations, 'consultant')}
        required
        error={missing.to ? t('validation.consultant') : undefined}
      >
        <Combobox value={taker} onValueChange={setTaker} {...takers.list} />
      </Field>
      <FailureLine>{takers.error ? messageOfFailure(takers.error) : undefined}</FailureLine>
      <Field label={t('chat.handOverNote')} required error={missing.note ? t('validation.reason') : undefined}>
        <Textarea rows={3} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </>
  )
}
