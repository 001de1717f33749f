/** Schedules of saved reports: the list, the texts of their times, and writes. */
import { padTwo, type ReportSchedule, type SendingRule } from '@dala/model'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'
import { formatDateTimeIn, type Translate, weekdayNames } from '../../../lib/format.ts'
import { hasMessage, useT } from '../../../lib/i18n.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'

export const schedulesQuery = queryOptions({
  queryKey: ['resource', 'statistics', 'schedules'],
  queryFn: ({ signal }) => callRoute('GET /api/statistics/schedules', { signal }),
  meta: { inPlace: true },
})

export const sendingsQuery = (id: number) =>
  queryOptions({
    queryKey: [...schedulesQuery.queryKey, id],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/statistics/schedules/:id/sendings', { signal, params: { id } })).data,
    meta: { inPlace: true },
  })

/** Text of a full hour: `08:00`. */
export const hourText = (hour: number): string => `${padTwo(hour)}:00`

/** Name of a time zone, as the reports show it. */
export function zoneText(t: Translate, zone: string): string {
  const key = `statistics.files.zones.${zone}`
  return hasMessage(key) ? t(key) : zone
}

/** Text of a moment in the report zone, with the name of the zone: `30.11.2026 08:00 (Tashkent)`. */
export const momentText = (t: Translate, moment: string | null, zone: string): string =>
  moment === null ? '' : `${formatDateTimeIn(moment, zone)} (${zoneText(t, zone)})`

/** Text of a schedule's rule: `Monday, 08:00, every week`. */
export function ruleText(t: Translate, { weekday, month_day: day, hour }: SendingRule): string {
  const time = hourText(hour)
  return weekday === null
    ? t('statistics.schedules.monthlyAt', { day: day ?? 1, time })
    : t('statistics.schedules.weeklyAt', { weekday: weekdayNames(t)[weekday - 1] ?? '', time })
}

/** The values of a schedule that its dialog asks for. */
export interface ScheduleDraft extends SendingRule {
  users: readonly number[]
  addresses: readonly string[]
  format: ReportSchedule['format']
  locale: ReportSchedule['locale']
}

/** The body of a schedule; an empty list of readers is left out, because a sent list has readers. */
const bodyOf = ({ users, addresses, ...draft }: ScheduleDraft) => ({
  ...draft,
  recipients: { users: users.length > 0 ? [...users] : null, addresses: [...addresses] },
})

/** Writes of schedules. */
export function useScheduleActions() {
  const t = useT()
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: schedulesQuery.queryKey })
  const create = async (savedId: number, draft: ScheduleDraft) =>
    (await callRoute('POST /api/statistics/schedules', { body: { data: { saved: savedId, ...bodyOf(draft) } } })).data

  /** Stores a new schedule of a saved report, or the changed one; the list then has its next sending. */
  const store = useMutation({
    meta: { inPlace: true },
    mutationFn: async ({
      to,
      draft,
    }: {
      to: { saved: number } | { schedule: ReportSchedule }
      draft: ScheduleDraft
    }) => {
      if ('saved' in to) return create(to.saved, draft)
      const { id, version } = to.schedule
      const body = { data: { ...bodyOf(draft), version } }
      return (await callRoute('PUT /api/statistics/schedules/:id', { params: { id }, body })).data
    },
    onSettled: refresh,
  })

  const setActive = useMutation({
    mutationFn: async ({ id, version, active }: Pick<ReportSchedule, 'id' | 'version' | 'active'>) =>
      (await callRoute('PUT /api/statistics/schedules/:id', { params: { id }, body: { data: { active, version } } }))
        .data,
    onSettled: refresh,
  })

  const remove = useMutation({
    mutationFn: ({ id }: ReportSchedule) => callRoute('DELETE /api/statistics/schedules/:id', { params: { id } }),
    onSuccess: async (_answer, schedule) => {
      await refresh()
      const { id, own, title } = schedule
      const text = t('statistics.schedules.deleted', { name: title })
      // Only the maker of a schedule can restore it.
      if (!own) return showToast({ kind: 'success', title: text })
      offerUndo({
        title: text,
        undo: async () => {
          await callRoute('POST /api/statistics/schedules/:id/restore', { params: { id } })
          await refresh()
        },
      })
    },
  })
  return { store, setActive, remove }
}
