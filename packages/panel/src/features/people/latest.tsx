/** Latest questions, answers and offers of a person. */
import { type Entry, resources } from '@dala/model'
import { FieldDisplay, useTitleOf } from '../../fields/field-display.tsx'
import { formatDate, formatRelative } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { LatestRecords } from '../../resource/record/latest-records.tsx'
import { findScreen } from '../../resource/screen-address.ts'
import { readLinkedRecord, textOf } from './account.ts'

interface LatestSide {
  id: number
  /** Side of the person in a consultation: asking or answering. */
  side: 'consultant' | 'user'
}

const person = { fields: ['username', 'name', 'surname'] }

export function LatestConsultations({ id, side }: LatestSide) {
  const t = useT()
  const otherSide = side === 'consultant' ? 'user' : 'consultant'
  const nameOf = useTitleOf(resources.users)
  return (
    <LatestRecords
      screen={findScreen('consultation')}
      title={t(side === 'consultant' ? 'people.consultations' : 'people.asked')}
      filters={{ [side]: { $eq: id } }}
      populate={{ [otherSide]: person }}
      all={{ [side]: String(id) }}
      emptyText={t('empty.noConsultations')}
      line={(entry) => {
        const person = readLinkedRecord(entry[otherSide])
        return [person && nameOf(person), formatDate(textOf(entry.createdAt))].filter(Boolean).join(' · ')
      }}
      state={(entry) => <FieldDisplay resource={resources.consultations} name="status" value={entry.status} />}
    />
  )
}

/** Last message of a chat room, in one line. */
function lastMessageText(entry: Entry): string {
  const lastMessage = entry.last_message
  return typeof lastMessage === 'object' && lastMessage !== null && 'text' in lastMessage
    ? textOf(lastMessage.text)
    : ''
}

export function LatestRooms({ id, side }: LatestSide) {
  const t = useT()
  const nameOf = useTitleOf(resources.users)
  const filters =
    side === 'consultant' ? { $or: [{ receiver: { $eq: id } }, { assignee: { $eq: id } }] } : { sender: { $eq: id } }
  return (
    <LatestRecords
      screen={findScreen('chats')}
      title={t('chatrooms.many')}
      filters={filters}
      sort="updatedAt:desc"
      emptyText={t('empty.noChats')}
      nameOf={(entry) => {
        const person = readLinkedRecord(side === 'consultant' ? entry.sender : (entry.assignee ?? entry.receiver))
        return person ? nameOf({ ...person, name: person.first_name, surname: person.last_name }) : textOf(entry.room)
      }}
      line={(entry) => <span className="line-clamp-1">{lastMessageText(entry)}</span>}
      state={(entry) => (
        <>
          <FieldDisplay resource={resources.chatrooms} name="state" value={entry.state} />
          <span className="block text-xs text-muted">{formatRelative(t, textOf(entry.updatedAt))}</span>
        </>
      )}
    />
  )
}

export function LatestPosts({ id }: { id: number }) {
  const t = useT()
  return (
    <LatestRecords
      screen={findScreen('trading-post')}
      title={t('tradinposts.many')}
      filters={{ user: { $eq: id } }}
      all={{ user: String(id) }}
      line={(entry) => formatDate(textOf(entry.createdAt))}
      state={(entry) => <FieldDisplay resource={resources.tradinposts} name="status" value={entry.status} />}
    />
  )
}
