/** The state of a report: its address on one side, the server's figures on the other. */
import type { Locale, ReportKey } from '@dala/model'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { onReportsChanged } from '../../api/report-events.ts'
import { callRoute } from '../../api/route.ts'
import { useLocale } from '../../lib/i18n.ts'
import {
  isSameFigure,
  type OpenedFigure,
  readReportSearch,
  type ReportQuery,
  type ReportSearch,
  reportQueryOf,
  writeReportSearch,
} from './report-search.ts'

const reportQuery = (index: string, query: ReportQuery) =>
  queryOptions({
    queryKey: ['resource', 'statistics', 'report', index, query],
    queryFn: ({ signal }) => callRoute('GET /api/statistics/:id', { params: { id: index }, query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })

export interface ReportState {
  search: ReportSearch
  change: (reportChange: Partial<ReportSearch>) => void
  /** Replaces all settings, such as by those of a saved report. */
  replace: (replacement: ReportSearch) => void
  /** Opens the records behind a figure; closes them when they are already open, and without a figure. */
  open: (figure: OpenedFigure | undefined) => void
  locale: Locale
}

/** The records of an interval are closed by a change of the report, which may no longer have that interval. */
const removeBucket = ({ opened, ...search }: ReportSearch): ReportSearch =>
  opened ? { ...search, opened: { ...opened, bucket: undefined } } : search

/** Reads and writes the report's part of the address; each change is a history entry. */
export function useReportState(): ReportState {
  const search = readReportSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const locale = useLocale()
  const replace = (newSearch: ReportSearch) =>
    void navigate({ to: '.', search: writeReportSearch(newSearch), resetScroll: false })
  const change = (searchChange: Partial<ReportSearch>) =>
    replace({ ...('opened' in searchChange ? search : removeBucket(search)), ...searchChange })
  const toggleFigure = (figure: OpenedFigure | undefined) =>
    change({ opened: figure && isSameFigure(figure, search.opened) ? undefined : figure })
  return { search, change, replace, open: toggleFigure, locale }
}

export function useReport(index: string, { search, locale }: ReportState) {
  return useQuery(reportQuery(index, reportQueryOf(search, locale)))
}

/**
 * Returns the time of the last event that figures of a report may have changed, in milliseconds since 1970; 0 without
 * one.
 */
export function useLastChange(report: ReportKey | undefined): number {
  const [change, setChange] = useState<{ report: ReportKey; at: number }>()
  useEffect(() => {
    if (report === undefined) return undefined
    return onReportsChanged(({ keys }) => {
      if (keys.includes(report)) setChange({ report, at: Date.now() })
    })
  }, [report])
  return change && change.report === report ? change.at : 0
}
