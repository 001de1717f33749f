/** Edits the text of the user's own message in place. */
import { maxMessageText } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/inputs/field.tsx'
import { Textarea } from '../../../ui/inputs/input.tsx'
import { messageEdit } from './message-edits.ts'
import { scheduleListReload } from '../rooms/rows.ts'
import { roomStoresOf } from '../live/use-room-log.ts'

export interface MessageEditorProps {
  id: number
  room: number
  user: number
  text: string
  /** Revision that the edit of a message is based on: a later change of the message is not overwritten. */
  rev: number
  /** Whether the user opened the editor; otherwise its message just scrolled back into view. */
  takesFocus: boolean
  onDone: () => void
}

export function MessageEditor({ id, room, user, text: formerText, rev, takesFocus, onDone }: MessageEditorProps) {
  const t = useT()
  const cache = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const edit = messageEdit(user, id)
  const [storedText] = useState(edit.read)
  const [text, setText] = useState(storedText?.text ?? formerText)
  const [base] = useState(storedText?.rev ?? rev)
  const save = useMutation({
    meta: { inPlace: true, missed: t('message.notSaved', { resource: t('chatmessages.one') }) },
    mutationFn: (sentText: string) =>
      callRoute('PUT /api/chatmessages/:id', {
        params: { id },
        body: { data: { text: sentText.trim(), expected_rev: base } },
      }),
    onSuccess: (_answer, sentText) => {
      // The editor of the message may have been reopened while the server saved the edit.
      if (edit.read()?.text === sentText) edit.clear()
      roomStoresOf(cache).get(room)?.check(false)
      scheduleListReload(cache)
    },
  })
  const type = (newText: string) => {
    setText(newText)
    edit.write({ text: newText, rev: base })
  }
  const closeEditor = () => {
    edit.clear()
    onDone()
  }
  useEffect(() => {
    if (!takesFocus) return
    const element = field.current
    element?.focus()
    // The cursor starts at the end of the message, where most corrections are.
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [takesFocus])
  const submitEdit = () => {
    if (!save.isPending && text.trim() !== '') save.mutate(text, { onSuccess: onDone })
  }
  return (
    <form
      className="grid max-w-[68ch] grid-cols-[minmax(0,1fr)] gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        submitEdit()
      }}
    >
      <Textarea
        ref={field}
        rows={2}
        aria-label={t('chat.editMessage')}
        maxLength={maxMessageText}
        // Text typed during the save of a message would disappear with the editor.
        readOnly={save.isPending}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') closeEditor()
          // The key Enter saves the edit, as it sends a message in the composer.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submitEdit()
        }}
        className="field-sizing-content max-h-60"
      />
      {save.error ? (
        <div role="alert">
          <FieldError>{messageOfFailure(save.error)}</FieldError>
        </div>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          type="submit"
          isBusy={save.isPending}
          disabled={text.trim() === '' && t('chat.nothingWritten')}
        >
          {t('action.save')}
        </Button>
        <Button onClick={closeEditor}>{t('action.cancel')}</Button>
      </div>
    </form>
  )
}
