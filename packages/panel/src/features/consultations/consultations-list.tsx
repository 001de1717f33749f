/** The list of consultations: its segments with their counts, and the waiting time of each question. */
import { rankOfRole, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import type { CellProps, ListSlots } from '../../resource/screen-parts.ts'
import { type ResourceList, useListPage } from '../../resource/list/use-resource-list.ts'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { AssignSelected } from './assign-selected.tsx'
import { conditionsOf, segmentLabel, type Segment, segmentGroups, segmentOf } from './segments.ts'
import { isRecord } from './consultation-permissions.ts'
import { addOwnKey } from '../../resource/list/list-session.ts'
import { StatusCell } from './status-chip.tsx'
import { WaitChip } from '../../ui/wait-chip.tsx'
import { waitOf } from './wait.ts'

function Segments({ list }: { list: ResourceList }) {
  const t = useT()
  const locale = useLocale()
  const onPhone = useMedia(phoneQuery)
  const { data } = useListPage(list)
  const { data: me } = useQuery(meQuery)
  const role = me && callerRoleOf(me)
  const groups = segmentGroups(
    role !== undefined && (role.isConsultant || rankOfRole(role.role) >= rankOfRole('admin')),
  )
  const segment = segmentOf(useSearch({ strict: false }))
  const choose = (value: Segment) => list.go(addOwnKey(list, 'show', value === 'all' ? undefined : value))
  const countOf = (value: Segment) => {
    const count = data?.counts?.[value]
    return count === undefined ? undefined : formatNumber(locale, count)
  }
  if (onPhone) {
    // The segments of consultations do not fit side by side in a narrow window, so a select replaces the
    // row.
    return (
      <Select
        aria-label={t('field.status')}
        value={segment}
        onValueChange={choose}
        choices={groups
          .flatMap(({ segments }): readonly Segment[] => segments)
          .map((value) => ({
            value,
            label: [t(segmentLabel(value)), countOf(value)].filter(Boolean).join(' · '),
          }))}
      />
    )
  }
  return (
    // Both groups share one row, above which the records begin; the first group scrolls where they do not fit.
    <div className="flex min-w-0 gap-x-2.5">
      {groups.map(({ label, segments }, index) => (
        <div key={label} className={index === 0 ? 'min-w-0' : 'shrink-0'}>
          <SegmentedControl<Segment>
            label={t(label)}
            value={segment}
            onValueChange={choose}
            segments={segments.map((value) => ({ value, label: t(segmentLabel(value)), count: countOf(value) }))}
          />
        </div>
      ))}
    </div>
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
  const now = useNow()
  const questionTime = String(value)
  return (
    <span className="grid">
      <time dateTime={questionTime} className="tabular-nums">
        {formatDateTime(questionTime)}
      </time>
      <WaitChip wait={waitOf(entry)} now={now} isWrapped className="text-xs" />
    </span>
  )
}

export const consultationsList: ListSlots = {
  Segments,
  hasWideSegments: true,
  hidesMissingPictures: true,
  filtersOf: conditionsOf,
  Selected: AssignSelected,
  cells: { status: StatusCell, consultant: ConsultantCell, createdAt: AskedCell },
}
