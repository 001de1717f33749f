/** The list of consultations: the five segments with their counts, and the waiting time of each question. */
import { resources } from '@dala/model'
import { useSearch } from '@tanstack/react-router'
import { useTitleOf } from '../../fields/field-display.tsx'
import { formatDateTime, formatNumber, formatSpan } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import type { CellProps, ListSlots } from '../../resource/screen-parts.ts'
import { type ResourceList, useListPage } from '../../resource/list/use-resource-list.ts'
import { Segmented } from '../../ui/inputs/segmented.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { conditionsOf, segmentLabel, type Segment, segmentOf, segments } from './segments.ts'
import { isRecord } from './consultation-permissions.ts'
import { withOwnKey } from '../../resource/list/list-session.ts'
import { StatusCell, statusOf } from './status-chip.tsx'

function Segments({ list }: { list: ResourceList }) {
  const t = useT()
  const locale = useLocale()
  const onPhone = useMedia(phoneQuery)
  const { data } = useListPage(list)
  const segment = segmentOf(useSearch({ strict: false }))
  const choose = (value: Segment) => list.go(withOwnKey(list, 'show', value === 'all' ? undefined : value))
  const countOf = (value: Segment) => {
    const count = data?.counts?.[value]
    return count === undefined ? undefined : formatNumber(locale, count)
  }
  if (onPhone) {
    // The five states of consultations do not fit side by side in a narrow window, so a select replaces the
    // segments.
    return (
      <Select
        aria-label={t('field.status')}
        value={segment}
        onValueChange={choose}
        choices={segments.map((value) => ({
          value,
          label: [t(segmentLabel(value)), countOf(value)].filter(Boolean).join(' · '),
        }))}
      />
    )
  }
  return (
    <Segmented
      label={t('field.status')}
      value={segment}
      onValueChange={choose}
      segments={segments.map((value) => ({ value, label: t(segmentLabel(value)), count: countOf(value) }))}
    />
  )
}

function ConsultantCell({ value }: CellProps) {
  const t = useT()
  const titleOf = useTitleOf(resources.users)
  if (!isRecord(value)) return <span className="text-muted">{t('consultation.unassigned')}</span>
  return <bdi>{titleOf(value)}</bdi>
}

/** The time of a question, and its waiting time while it has no answer. */
function AskedCell({ value, entry }: CellProps) {
  const t = useT()
  const now = useNow()
  const askedAt = String(value)
  const status = statusOf(entry.status)
  const isWaiting = status !== 'answered' && status !== 'finished'
  return (
    <span className="grid">
      <time dateTime={askedAt} className="tabular-nums">
        {formatDateTime(askedAt)}
      </time>
      {isWaiting ? (
        <span className="text-xs font-medium text-warning-text">
          {t('consultation.waits', { time: formatSpan(t, askedAt, now) })}
        </span>
      ) : null}
    </span>
  )
}

export const consultationsList: ListSlots = {
  Segments,
  hasWideSegments: true,
  hidesMissingPictures: true,
  filtersOf: conditionsOf,
  cells: { status: StatusCell, consultant: ConsultantCell, createdAt: AskedCell },
}
