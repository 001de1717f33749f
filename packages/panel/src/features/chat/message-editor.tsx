/** Changes the text of one's own message in its place. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { maxText } from './drafts.ts'
import { renewLists } from './room-rows.ts'
import { roomStoresOf } from './use-room-log.ts'

export interface MessageEditorProps {
  id: number
  room: number
  text: string
  /** The revision its text is of: a later change of it is not written over. */
  rev: number
  onDone: () => void
}

export function MessageEditor({ id, room, text: before, rev, onDone }: MessageEditorProps) {
  const t = useT()
  const cache = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(before)
  const [base] = useState(rev)
  const save = useMutation({
    meta: { inPlace: true },
    mutationFn: () => call('PUT', `/chatmessages/${id}`, { body: { data: { text: text.trim(), expected_rev: base } } }),
    onSuccess: () => {
      roomStoresOf(cache).get(room)?.check(false)
      renewLists(cache)
      onDone()
    },
  })
  useEffect(() => {
    const element = field.current
    element?.focus()
    // What one forgot is mostly at the end.
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const submit = () => {
    if (!save.isPending && text.trim() !== '') save.mutate()
  }
  return (
    <form
      className="grid max-w-[68ch] grid-cols-[minmax(0,1fr)] gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        ref={field}
        rows={2}
        aria-label={t('chat.editMessage')}
        maxLength={maxText}
        // What would be typed now would go with the editor.
        readOnly={save.isPending}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone()
          // As in the composer.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit()
        }}
        className="field-sizing-content max-h-60"
      />
      {save.error ? (
        <div role="alert">
          <FieldError>{wordsOfFailure(save.error)}</FieldError>
        </div>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          type="submit"
          busy={save.isPending}
          disabled={text.trim() === '' && t('chat.nothingWritten')}
        >
          {t('action.save')}
        </Button>
        <Button onClick={onDone}>{t('action.cancel')}</Button>
      </div>
    </form>
  )
}
