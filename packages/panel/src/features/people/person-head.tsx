/** The head of a person's page: photo or initials, state, and the line below the name. */
import { type Entry, resources } from '@dala/model'
import { fileAddress } from '../../api/client.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { readLinkedRecord, textOf } from './account.ts'
import { PersonState } from './person-cells.tsx'
import { PresenceLabel } from './presence.tsx'

export function PersonLead({ record }: { record: Entry }) {
  const titleOf = useTitleOf(resources.users)
  const photo = fileAddress(textOf(readLinkedRecord(record.avatar)?.url))
  return <Avatar size="xl" name={titleOf(record)} src={photo} />
}

function StateLine({ record, more }: { record: Entry; more: (string | false)[] }) {
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      {record.active === undefined ? null : <PersonState record={record} />}
      {textOf(record.last_seen_at) ? <PresenceLabel lastSeenAt={record.last_seen_at} /> : null}
      {more.map((line) => (line ? <span key={line}>{line}</span> : null))}
    </span>
  )
}

export function ConsultantLine({ record }: { record: Entry }) {
  const t = useT()
  const years = record.experience_years
  const creationTime = textOf(record.createdAt)
  return (
    <StateLine
      record={record}
      more={[
        textOf(record.position),
        typeof years === 'number' && t('people.experience', { years: t('people.years', { count: years }) }),
        creationTime && t('people.consultantSince', { date: formatDate(creationTime) }),
      ]}
    />
  )
}

export function AccountLine({ record }: { record: Entry }) {
  const t = useT()
  const creationTime = textOf(record.createdAt)
  return (
    <StateLine
      record={record}
      more={[
        record.is_consultant === true && t('role.consultant'),
        textOf(record.position),
        creationTime && t('people.since', { date: formatDate(creationTime) }),
      ]}
    />
  )
}
