/**
 * The pane beside the thread: the customer, the room's state and description, its owner, and earlier
 * consultations.
 */
import { nameOfCard } from '../../../api/error-toasts.ts'
import { choiceLabel, localeNames, resources, screensOf } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { labelOf, useTitleOf } from '../../../fields/field-display.tsx'
import { formatDate } from '../../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import { useMay } from '../../../resource/use-may.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { PaneDetail } from '../../../ui/layout/details.tsx'
import { useWasEverTrue } from '../../../ui/use-ever.ts'
import { type OpenRoom, roomQuery } from '../chat-data.ts'
import { isDesk } from '../desk-search.ts'
import type { Reader } from '../reader.ts'
import { partnerOf } from '../rooms/room-text.ts'
import { RoomAssignment } from './room-assignment.tsx'
import { RoomSections } from './room-sections.tsx'
import { RoomDescription, RoomSteps } from './room-state.tsx'
import { isRoomLost, removedRoomPermissions, roomPermissions } from '../room-permissions.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { AwaitedPart } from '../../../ui/awaited.tsx'

const { chatrooms, consultations, users } = resources
const ConvertDialog = lazyPart(async () => (await import('./convert-dialog.tsx')).ConvertDialog)

const [consultationScreen] = screensOf(consultations)

export interface PersonPaneProps {
  id: number
  reader: Reader
  onClose: () => void
}

export function PersonPane({ id, reader, onClose }: PersonPaneProps) {
  const t = useT()
  const { data: room, error } = useQuery(roomQuery(id, useLocale()))
  const titleOfRegion = useTitleOf(resources.regions)
  const titleOfCategory = useTitleOf(resources.consultationcategories)
  if (!room) return <div className="border-line lg:border-s" />
  const isGone = isRoomLost(error)
  const permissions = isGone ? removedRoomPermissions : roomPermissions(room, reader)
  const partner = partnerOf(room, reader.id)
  const name = partner ? nameOfCard(partner) : t('consultation.unassigned')
  return (
    <aside
      aria-label={t('chat.person')}
      className="grid min-h-0 content-start gap-5 overflow-y-auto overscroll-contain border-line px-4 py-3.5 lg:border-s"
    >
      <header className="flex items-start gap-3">
        <Avatar name={name} src={fileAddress(partner?.avatar?.url)} />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          {partner ? (
            <p className="text-sm text-muted">
              <bdi dir="ltr">{partner.username}</bdi>
            </p>
          ) : null}
        </div>
        <IconButton label={t('action.close')} icon={<X size={18} aria-hidden />} onClick={onClose} />
      </header>
      <dl className="grid gap-2.5 text-sm">
        {partner?.phone ? (
          <PaneDetail label={labelOf(users, 'phone')}>
            <a href={`tel:${partner.phone.replace(/[^\d+]/g, '')}`} className="text-brand-text hover:underline">
              <bdi dir="ltr">{partner.phone}</bdi>
            </a>
          </PaneDetail>
        ) : null}
        {room.category ? (
          <PaneDetail label={labelOf(chatrooms, 'category')}>{titleOfCategory(room.category)}</PaneDetail>
        ) : null}
        {room.region ? (
          <PaneDetail label={labelOf(chatrooms, 'region')}>{titleOfRegion(room.region)}</PaneDetail>
        ) : null}
        {room.language ? (
          <PaneDetail label={labelOf(chatrooms, 'language')}>
            <span lang={room.language}>{localeNames[room.language]}</span>
          </PaneDetail>
        ) : null}
        <PaneDetail label={labelOf(chatrooms, 'state')}>
          {firstTranslation(choiceLabel(chatrooms, 'state', room.state))}
        </PaneDetail>
      </dl>
      {permissions.mayManage ? <RoomSteps room={room} mayEndWait={permissions.mayHandOver} /> : null}
      {isGone ? null : <RoomAssignment room={room} reader={reader} permissions={permissions} />}
      {permissions.mayManage ? <RoomDescription key={room.id} room={room} /> : null}
      {isDesk(reader) && permissions.mayNote ? <ConvertRoom room={room} /> : null}
      <Consultations room={room} />
      {isDesk(reader) && permissions.mayNote ? <RoomSections room={room} /> : null}
    </aside>
  )
}

/** Links that create a draft from this chat: a consultation, or a question with its answer. */
function ConvertRoom({ room }: { room: OpenRoom }) {
  const t = useT()
  const may = useMay(consultations)
  const [isOpen, setOpen] = useState(false)
  const wasOpened = useWasEverTrue(isOpen)
  if (!may('create')) return null
  return (
    <>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        {t('chat.convert')}
      </Button>
      {wasOpened ? (
        <AwaitedPart onGiveUp={() => setOpen(false)}>
          <ConvertDialog key={String(isOpen)} room={room} open={isOpen} onClose={() => setOpen(false)} />
        </AwaitedPart>
      ) : null}
    </>
  )
}

/** Section with earlier consultations of the customer. */
function Consultations({ room }: { room: OpenRoom }) {
  const t = useT()
  const may = useMay(consultations)
  const titleOf = useTitleOf(consultations)
  const { data } = useQuery({
    ...resourceQueries(consultations).list({
      filters: { user: room.sender.id },
      fields: ['question', 'status', 'createdAt'],
      sort: 'createdAt:desc',
      pagination: { pageSize: 5 },
    }),
    enabled: may('list'),
  })
  if (!consultationScreen || !may('list')) return null
  return (
    <section className="grid gap-2.5">
      <h3 className="text-sm font-semibold">{t('chat.earlierConsultations')}</h3>
      {data && data.entries.length === 0 ? <p className="text-sm text-muted">{t('empty.noConsultations')}</p> : null}
      <ul className="grid gap-2 text-sm">
        {data?.entries.map((entry) => (
          <li key={entry.id}>
            <Link
              {...recordAddress(consultationScreen, entry.id)}
              className="line-clamp-2 font-medium text-brand-text hover:underline"
            >
              {titleOf(entry)}
            </Link>
            <span className="text-xs text-muted">
              {formatDate(String(entry.createdAt))} ·{' '}
              {firstTranslation(choiceLabel(consultations, 'status', String(entry.status)))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
