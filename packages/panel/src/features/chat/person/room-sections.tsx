/** The sections of the pane about a room: pictures, documents, notes, ratings and history. */
import type { ChatMessage, RoomHistoryLine, RoomRating } from '@dala/model'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { galleryPictureOf } from '../../../fields/picture/picture.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { GalleryButton } from '../../../ui/overlays/gallery.tsx'
import { type Attachment, isPicture, type OpenRoom } from '../chat-data.ts'
import { MessageDocuments } from '../thread/message-documents.tsx'
import { historyLineText } from './history-line-text.ts'
import { filesQuery, historyQuery, notesQuery, ratingsQuery } from './room-details.ts'
import { RoomSection } from './room-section.tsx'

const isEmptyList = (list: readonly unknown[]) => list.length === 0

type AttachmentTest = (attachment: Attachment) => boolean
const isDocument: AttachmentTest = (attachment) => !isPicture(attachment)
const filesOf =
  (isFile: AttachmentTest) =>
  ({ attachments }: ChatMessage) =>
    attachments.filter(isFile)
const hasNoFiles = (isFile: AttachmentTest) => (messages: readonly ChatMessage[]) =>
  messages.flatMap(filesOf(isFile)).length === 0

export function RoomSections({ room }: { room: OpenRoom }) {
  const t = useT()
  return (
    <div className="grid">
      <RoomSection title={t('chat.section.pictures')} query={filesQuery(room.id)} isEmpty={hasNoFiles(isPicture)}>
        {(messages) => <Pictures messages={messages} />}
      </RoomSection>
      <RoomSection title={t('chat.section.documents')} query={filesQuery(room.id)} isEmpty={hasNoFiles(isDocument)}>
        {(messages) => <MessageDocuments documents={messages.flatMap(filesOf(isDocument))} />}
      </RoomSection>
      <RoomSection title={t('chat.section.notes')} query={notesQuery(room.id)} isEmpty={isEmptyList}>
        {(notes) => (
          <ul className="grid gap-2.5">
            {notes.map((note) => (
              <li key={note.id} className="rounded-2 bg-warning-soft px-3 py-2 text-warning-text">
                <p className="text-xs">
                  <bdi>{nameOfCard(note.sender)}</bdi> · {formatDateTime(note.createdAt)}
                </p>
                <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                  {note.text}
                </p>
              </li>
            ))}
          </ul>
        )}
      </RoomSection>
      <RoomSection title={t('chat.section.ratings')} query={ratingsQuery(room.id)} isEmpty={isEmptyList}>
        {(ratings) => (
          <ul className="grid gap-2.5">
            {ratings.map((rating) => (
              <RatingLine key={rating.episode} rating={rating} />
            ))}
          </ul>
        )}
      </RoomSection>
      <RoomSection title={t('chat.section.history')} query={historyQuery(room.id)} isEmpty={isEmptyList}>
        {(lines) => (
          <ol className="grid gap-2.5">
            {lines.map((line, index) => (
              <HistoryEventLine key={`${line.at}-${index}`} line={line} />
            ))}
          </ol>
        )}
      </RoomSection>
    </div>
  )
}

function Pictures({ messages }: { messages: readonly ChatMessage[] }) {
  const t = useT()
  const pictures = messages
    .flatMap(filesOf(isPicture))
    .flatMap(({ url, name }) => galleryPictureOf({ url }, t('a11y.imageAlt', { name })) ?? [])
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(72px,1fr))] gap-1.5">
      {pictures.map(({ src, alt }, index) => (
        <li key={`${src}-${index}`}>
          <GalleryButton pictures={pictures} index={index} className="block w-full rounded-1">
            <img src={src} alt={alt} loading="lazy" className="aspect-square w-full rounded-1 bg-sunken object-cover" />
          </GalleryButton>
        </li>
      ))}
    </ul>
  )
}

function RatingLine({ rating: { score, comment, consultant, createdAt } }: { rating: RoomRating }) {
  const t = useT()
  const locale = useLocale()
  return (
    <li className="grid gap-0.5">
      <p className="font-semibold">{t('consultation.rated', { rating: formatNumber(locale, score) })}</p>
      <p className="text-xs text-muted">
        {consultant ? <bdi>{nameOfCard(consultant)}</bdi> : t('consultation.unassigned')} · {formatDateTime(createdAt)}
      </p>
      {comment ? (
        <p dir="auto" className="wrap-anywhere">
          {comment}
        </p>
      ) : null}
    </li>
  )
}

function HistoryEventLine({ line }: { line: RoomHistoryLine }) {
  const t = useT()
  const { at, user } = line
  const { text, detail } = historyLineText(t, line)
  return (
    <li className="grid gap-0.5 border-s-2 border-line ps-2.5">
      <p>{text}</p>
      {detail ? (
        <p dir="auto" className="text-muted wrap-anywhere">
          {detail}
        </p>
      ) : null}
      <p className="text-xs text-muted">
        {user ? <bdi>{nameOfCard(user)}</bdi> : t('chat.theServer')} · {formatDateTime(at)}
      </p>
    </li>
  )
}
