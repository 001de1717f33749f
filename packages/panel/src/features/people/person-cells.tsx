/** Columns of the lists of people that the kind of field alone does not render. */
import { type Entry, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import Ban from 'lucide-react/icons/ban'
import MailCheck from 'lucide-react/icons/mail-check'
import { useTitleOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import type { CellProps } from '../../resource/screen-parts.ts'
import { StatusDot } from '../../ui/feedback/status-dot.tsx'
import { isInvited, readLinkedRecord } from './account.ts'
import { AnsweredBar } from './answered-bar.tsx'
import { loadQuery } from './load.ts'

const unknownValue = <span className="text-muted">—</span>

/** District of a person, and the region below it. */
export function PlaceCell({ entry }: CellProps) {
  const districtOf = useTitleOf(resources.districts)
  const regionOf = useTitleOf(resources.regions)
  const [district, region] = [readLinkedRecord(entry.district), readLinkedRecord(entry.region)]
  if (!district && !region) return unknownValue
  return (
    <span className="block leading-tight">
      {district ? districtOf(district) : region ? regionOf(region) : null}
      {district && region ? (
        <span className="mt-0.5 block text-xs text-muted xl:whitespace-nowrap">{regionOf(region)}</span>
      ) : null}
    </span>
  )
}

/**
 * State of an account: active or not, with two further states: blocked, and invited without a first sign-in.
 */
export function StateCell({ entry }: CellProps) {
  return <PersonState record={entry} isInList />
}

export function PersonState({ record, isInList = false }: { record: Entry; isInList?: boolean }) {
  const t = useT()
  if (record.blocked !== true && isInvited(record)) {
    return (
      <span className="inline-flex items-center gap-[7px] whitespace-nowrap text-info-text">
        <MailCheck size={14} aria-hidden />
        {t('people.invited')}
      </span>
    )
  }
  if (record.blocked !== true) return <StatusDot active={record.active === true} isInList={isInList} />
  return (
    <span className="inline-flex items-center gap-[7px] whitespace-nowrap text-danger-text">
      <Ban size={13} aria-hidden />
      {t('status.blocked')}
    </span>
  )
}

export function YearsCell({ value }: CellProps) {
  const t = useT()
  return typeof value === 'number' ? t('people.years', { count: value }) : unknownValue
}

/** Number of assigned questions that a consultant has answered. */
export function AnsweredCell({ entry }: CellProps) {
  const { data: load } = useQuery(loadQuery(entry.id))
  return load ? <AnsweredBar answered={load.answered} all={load.all} /> : unknownValue
}
