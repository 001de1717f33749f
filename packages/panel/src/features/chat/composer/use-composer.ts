/**
 * State of the composer of a room: separate drafts and files for reply and note, and the reason why
 * sending is disabled.
 */
import { type ChatAttachment, type Entry, countCharacters, maxAttachments, maxMessageText } from '@dala/model'
import { useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import type { DisabledReason } from '../../../ui/disabled-reason.tsx'
import { openVariables } from '../../../fields/canned/text.ts'
import { type DraftTexts, saveDraft, readDraft, useDrafts, type WrittenKind } from './drafts.ts'
import { type Uploads, useUploads } from './uploads.ts'

/** Number of characters left in a message at which the counter appears. */
const shownCharacterLimit = 200
/** Converts an uploaded file to an attachment of a message. */
function attachmentOf(file: File, { url, mime, size, width, height }: Entry): ChatAttachment {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
  return {
    url: String(url),
    name: file.name,
    mime: typeof mime === 'string' ? mime : null,
    size: numberOf(size),
    width: numberOf(width),
    height: numberOf(height),
  }
}

/** Adds uploads to the draft they were started for, also when the user has opened another room by then. */
function useDraftUploads(user: number, room: number, kind: WrittenKind): Uploads {
  return useUploads(`${user}/${room}/${kind}`, (file, record) =>
    saveDraft(user, room, kind, {
      attachments: [...readDraft(user, room, kind).attachments, attachmentOf(file, record)],
    }),
  )
}

export interface ComposerState extends DraftTexts {
  kind: WrittenKind
  setKind: (kind: WrittenKind) => void
  /** Whether the other kind of message, note or reply, has a draft too. */
  hasOtherDraft: boolean
  files: Uploads
  isFull: boolean
  addFiles: (files: FileList | null | undefined) => void
  charactersLeft: number
  open: ReturnType<typeof openVariables>
  /** Reason why the message in the composer cannot be sent now. */
  blockedReason: DisabledReason
  /** State of the message being written, shown below the field. */
  state: string | null
}

/**
 * State of the composer of a room.
 *
 * @param notesOnly - The user may not write to the other side. When this ends while they write, a note stays
 * a note.
 */
export function useComposer(user: number, room: number, notesOnly: boolean): ComposerState {
  const t = useT()
  const [selectedKind, setKind] = useState<WrittenKind>(notesOnly ? 'note' : 'message')
  const kind = notesOnly ? 'note' : selectedKind
  const drafts = { message: useDrafts(user, room, 'message'), note: useDrafts(user, room, 'note') }
  const uploads = { message: useDraftUploads(user, room, 'message'), note: useDraftUploads(user, room, 'note') }
  const draft = drafts[kind]
  const chosenUpload = uploads[kind]
  const otherDraft = drafts[kind === 'note' ? 'message' : 'note']
  const count = draft.attachments.length + chosenUpload.uploads.length
  const charactersLeft = maxMessageText - countCharacters(draft.text)
  const unfilledVariables = openVariables(draft.text)
  const isUploading = chosenUpload.uploads.length > 0
  const hasFailed = chosenUpload.uploads.some(({ reason }) => reason !== undefined)
  const isEmpty = draft.text.trim() === '' && draft.attachments.length === 0
  const blockedReason: DisabledReason = hasFailed
    ? t('chat.uploadFailed')
    : isUploading
      ? t('chat.uploading')
      : isEmpty
        ? t('chat.nothingWritten')
        : charactersLeft < 0
          ? t('validation.maxLength', { max: maxMessageText })
          : unfilledVariables.length > 0 && t('chat.fillFirst')
  return {
    ...draft,
    kind,
    setKind,
    hasOtherDraft: otherDraft.text.trim() !== '' || otherDraft.attachments.length > 0,
    files: chosenUpload,
    isFull: count >= maxAttachments,
    addFiles: (files) => {
      if (files) chosenUpload.add([...files].slice(0, Math.max(0, maxAttachments - count)))
    },
    charactersLeft,
    open: unfilledVariables,
    blockedReason,
    state: hasFailed
      ? t('chat.uploadFailed')
      : isUploading
        ? t('chat.uploading')
        : charactersLeft <= shownCharacterLimit
          ? t('chat.left', { count: charactersLeft })
          : null,
  }
}
