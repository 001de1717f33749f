/** The state of a report: its address on one side, the server's figures on the other. */
import type { Locale, ReportFigures, ReportMeta, WireEntry } from '@dala/model'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import type { Query } from '../../api/query-string.ts'
import { useLocale } from '../../lib/i18n.ts'
import { readReportSearch, type ReportSearch, reportQueryOf, writeReportSearch } from './report-search.ts'

type ReportData = WireEntry & ReportFigures

export interface ReportAnswer {
  data: ReportData
  meta: ReportMeta
}

const reportQuery = (index: string, query: Query) =>
  queryOptions({
    queryKey: ['resource', 'statistics', 'report', index, query],
    queryFn: ({ signal }) => call<ReportAnswer>('GET', `/statistics/${encodeURIComponent(index)}`, { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })

export interface ReportState {
  search: ReportSearch
  change: (next: Partial<ReportSearch>) => void
  locale: Locale
}

/** Reads and writes the report's part of the address; each change is a step that Back undoes. */
export function useReportState(): ReportState {
  const search = readReportSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const locale = useLocale()
  const change = (next: Partial<ReportSearch>) =>
    void navigate({ to: '.', search: writeReportSearch({ ...search, ...next }), resetScroll: false })
  return { search, change, locale }
}

export function useReport(index: string, { search, locale }: ReportState) {
  return useQuery(reportQuery(index, reportQueryOf(search, locale)))
}
