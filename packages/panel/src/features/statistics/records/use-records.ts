/** The records behind a figure of a report: their pages and their sheet (statistics §6). */
import type { RecordColumn } from '@dala/model'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callFile, callRoute } from '../../../api/route.ts'
import { useWrittenLocale } from '../../../lib/i18n.ts'
import { fileOf } from '../../../resource/list/file.ts'
import { useDownload } from '../../../resource/list/use-download.ts'
import { type OpenedFigure, reportQueryOf } from '../report-search.ts'
import type { ReportState } from '../use-report.ts'

const pageSize = 50

const recordQueryOf = ({ search, locale }: ReportState, figure: OpenedFigure) => ({
  ...reportQueryOf(search, locale),
  ...figure,
})

export function useRecords(index: string, state: ReportState, figure: OpenedFigure) {
  const query = { ...recordQueryOf(state, figure), limit: pageSize }
  return useInfiniteQuery({
    queryKey: ['resource', 'statistics', 'records', index, query],
    queryFn: ({ signal, pageParam }) =>
      callRoute('GET /api/statistics/:id/records', {
        params: { id: index },
        query: { ...query, start: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ count }, pages) => {
      const nextOffset = pages.length * pageSize
      return nextOffset < count ? nextOffset : undefined
    },
    meta: { inPlace: true },
  })
}

/** Downloads all records behind a figure as a sheet, with the chosen columns or with the usual ones. */
export const useRecordsSheet = (
  index: string,
  state: ReportState,
  figure: OpenedFigure,
  columns: readonly RecordColumn[] | undefined,
) => {
  const locale = useWrittenLocale()
  const chosenColumns = columns && { columns: columns.join(',') }
  const query = { ...recordQueryOf(state, figure), locale, format: 'xlsx' as const, ...chosenColumns }
  return useDownload(() => callFile('GET /api/statistics/:id/records', { params: { id: index }, query }, fileOf))
}
