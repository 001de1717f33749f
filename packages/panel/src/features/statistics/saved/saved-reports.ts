/** Saved reports: the list of the user's own and of those shared with them, their addresses, and writes. */
import {
  filterCodes,
  firstSavedReport,
  type ReportFilter,
  type ReportKey,
  reportFilters,
  type ReportSharedRole,
  type SavedReport,
  type StoredReportQuery,
} from '@dala/model'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'
import { useT } from '../../../lib/i18n.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { type ReportSearch, writeReportSearch } from '../report-search.ts'

export const savedReportsQuery = queryOptions({
  queryKey: ['resource', 'statistics', 'saved'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/statistics/saved', { signal })).data,
  // The reports themselves are shown without the saved ones.
  meta: { inPlace: true },
})

/**
 * Returns the id of the saved report that an address names in place of a report.
 *
 * @example
 * savedIdOf('1004') // 1004
 */
export function savedIdOf(index: string): number | undefined {
  const id = /^[1-9]\d{3,9}$/.test(index) ? Number(index) : 0
  return id >= firstSavedReport ? id : undefined
}

/** The address state of a saved report, with its id. */
export function searchOfSaved({ id, query: { filters = {}, ...otherFields } }: SavedReport): ReportSearch {
  const filterEntries = reportFilters.flatMap((name) =>
    filters[name] === undefined ? [] : [[name, String(filters[name])]],
  )
  return { ...otherFields, filters: Object.fromEntries(filterEntries) as ReportSearch['filters'], saved: id }
}

/** The query that is stored for the address state of a report. */
function queryOfSearch({ filters, saved: _saved, opened: _opened, ...otherFields }: ReportSearch): StoredReportQuery {
  const fieldEntries = Object.entries(otherFields).filter(([, value]) => value !== undefined)
  const values = (Object.entries(filters) as [ReportFilter, string][]).map(([name, value]) => [
    name,
    filterCodes[name] ? value : Number(value),
  ])
  return {
    ...Object.fromEntries(fieldEntries),
    ...(values.length > 0 && { filters: Object.fromEntries(values) as object }),
  }
}

const spellSearch = (search: ReportSearch) =>
  JSON.stringify(Object.entries(writeReportSearch(search)).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Whether the address state of a report differs from the saved report that is open. */
export const isChangedFrom = (savedReport: SavedReport, search: ReportSearch): boolean =>
  spellSearch(searchOfSaved(savedReport)) !== spellSearch({ ...search, opened: undefined })

/** The values of a saved report that its dialog asks for. */
export interface SavedNaming {
  title: string
  shared_with: ReportSharedRole | null
}

interface NamedReport extends SavedNaming {
  key: ReportKey
  search: ReportSearch
}

const bodyOf = ({ title, key, query, shared_with, order }: SavedReport) => ({ title, key, query, shared_with, order })
const sentQuery = ({ filters, ...otherFields }: StoredReportQuery) => ({ ...otherFields, ...(filters && { filters }) })

/**
 * Writes of saved reports.
 *
 * @param onOpen - Opens a saved report, or the report alone.
 */
export function useSavedActions(onOpen: (chosenReport: SavedReport | undefined) => void) {
  const t = useT()
  const cache = useQueryClient()
  const refreshReports = () => cache.invalidateQueries({ queryKey: savedReportsQuery.queryKey })
  const toast = (title: string) => showToast({ kind: 'success', title })

  const create = useMutation({
    meta: { inPlace: true },
    mutationFn: async ({ search, ...reportNaming }: NamedReport) => {
      const query = sentQuery(queryOfSearch(search))
      const { data } = await callRoute('POST /api/statistics/saved', { body: { data: { ...reportNaming, query } } })
      await refreshReports()
      return data
    },
    onSuccess: (savedReport) => {
      onOpen(savedReport)
      toast(t('statistics.saved.done', { name: savedReport.title }))
    },
  })

  const change = useMutation({
    meta: { inPlace: true },
    mutationFn: async ({
      saved,
      search,
      ...reportNaming
    }: Partial<SavedNaming> & { saved: SavedReport; search?: ReportSearch }) => {
      const query = search && { query: sentQuery(queryOfSearch(search)) }
      const body = { data: { ...reportNaming, ...query, version: saved.version } }
      return (await callRoute('PUT /api/statistics/saved/:id', { params: { id: saved.id }, body })).data
    },
    onSuccess: (savedReport) => toast(t('statistics.saved.done', { name: savedReport.title })),
    // After a conflict the list has the version of the other change.
    onSettled: refreshReports,
  })

  /** Exchanges the places of two saved reports; the places of all own ones are written where they differ. */
  const reorderMutation = useMutation({
    mutationFn: async (ownReports: readonly SavedReport[]) => {
      for (const [index, { id, order, version }] of ownReports.entries())
        if (order !== index + 1)
          await callRoute('PUT /api/statistics/saved/:id', {
            params: { id },
            body: { data: { order: index + 1, version } },
          })
    },
    onSettled: refreshReports,
  })

  const remove = useMutation({
    mutationFn: ({ id }: SavedReport) => callRoute('DELETE /api/statistics/saved/:id', { params: { id } }),
    onSuccess: async (_answer, savedReport) => {
      onOpen(undefined)
      await refreshReports()
      offerUndo({
        title: t('statistics.saved.deleted', { name: savedReport.title }),
        undo: async () => {
          await callRoute('POST /api/statistics/saved', { body: { data: bodyOf(savedReport) } })
          await refreshReports()
        },
      })
    },
  })
  return { create, change, reorder: reorderMutation, remove }
}
