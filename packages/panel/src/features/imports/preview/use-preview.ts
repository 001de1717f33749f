/** State of the preview: the visible rows, the active cell, and the corrections. */
import { type ImportField, type ImportFilter, importFilters, type ImportMapping, type ImportRow } from '@dala/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useLocale } from '../../../lib/i18n.ts'
import { correctRows, type Import, importQuery, refetchImport, rowsPageSize, rowsQuery } from '../import-api.ts'
import { correctedAt, foldedColumns, nextFault, type PreviewColumn, previewColumns } from './preview-grid.ts'
import { type CellPosition, confirmKey, type Correction, RowCorrections, skipKey } from './row-corrections.ts'
import { useReaderNames } from '../reader-names.ts'
import { valueText } from '../labels.ts'

/** Filters of the preview that list rows with faults first. */
const faultFilters: readonly ImportFilter[] = ['all', 'error', 'warning']

/** Search parameters of the preview's rows: filter, page and search text. */
function usePreviewSearch(initialFilter: ImportFilter) {
  const search: { rows?: unknown; page?: unknown; q?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const filter = importFilters.find((one) => one === search.rows) ?? initialFilter
  const page = typeof search.page === 'string' && /^[1-9]\d{0,4}$/.test(search.page) ? Number(search.page) : 1
  return {
    filter,
    page,
    q: typeof search.q === 'string' ? search.q : '',
    change: (newSearch: { rows?: ImportFilter; page?: number; q?: string }) =>
      void navigate({
        to: '.',
        search: (formerSearch: object) => ({ ...formerSearch, page: undefined, ...newSearch }),
        replace: true,
        resetScroll: false,
      }),
  }
}

export interface ImportPreview {
  record: Import
  /** Columns of the preview table; those with one value in all rows are folded. */
  columns: readonly PreviewColumn[]
  foldedColumns: readonly { field: ImportField; text: string }[]
  /** Unfolds all columns of the preview. */
  unfoldColumns: () => void
  rows: readonly ImportRow[]
  /** Number of rows in the preview; undefined until the first rows are loaded. */
  total: number | undefined
  isOld: boolean
  error: Error | null
  refetch: () => void
  filter: ImportFilter
  page: number
  q: string
  change: ReturnType<typeof usePreviewSearch>['change']
  corrections: RowCorrections
  /** Active cell of the preview. */
  activeCell: CellPosition | null
  /** Initial text of the active cell's field; null while the cell is only focused. */
  editedText: string | null
  goTo: (at: CellPosition | null) => void
  edit: (at: CellPosition, text: string) => void
  /** Ends the editing of a preview cell; `null` leaves the cell unchanged. */
  finishEditing: (text: string | null) => void
  put: (corrections: readonly Correction[]) => void
  skip: (row: number, isSkipped: boolean) => void
  /** Confirms the warnings of an imported row, or undoes the confirmation. */
  confirm: (row: number, isConfirmed: boolean) => void
  undo: () => boolean
  nextFault: (by: 1 | -1) => void
  /** Number of moves to a cell of the preview: each move focuses the cell. */
  moveCount: number
}

const noRows: readonly ImportRow[] = []

export function usePreview(
  record: Import,
  mapping: ImportMapping,
  user: number,
  initialFilter: ImportFilter,
): ImportPreview {
  const cache = useQueryClient()
  const { id } = record
  const request = usePreviewSearch(initialFilter)
  const { filter, page, q } = request
  const { data, error, isPlaceholderData, refetch } = useQuery(rowsQuery(id, { filter, search: q, page }))
  const [corrections] = useState(
    () =>
      new RowCorrections({
        storageKey: `draft/import/${user}/${id}`,
        send: async (body) => (await correctRows(cache, id, body)).version,
        version: () => cache.getQueryData(importQuery(id).queryKey)?.version ?? record.version,
        messageOf: messageOfFailure,
        isStale: (failure) => failure instanceof ApiError && failure.status === 409,
        onStale: () => void refetchImport(cache, id),
      }),
  )
  useSyncExternalStore(corrections.subscribe, corrections.version)
  // Corrections of rows made without a connection are sent when it is back.
  useEffect(() => {
    const resendMutation = () => corrections.count('failed') > 0 && corrections.retry()
    window.addEventListener('online', resendMutation)
    return () => window.removeEventListener('online', resendMutation)
  }, [corrections])

  const rows = useReaderNames(record.kind, mapping.locale, data?.data ?? noRows)
  const locale = useLocale()
  const [isUnfolded, setUnfolded] = useState(false)
  const all = previewColumns(record.kind, mapping.columns, rows)
  const foldedTexts = isUnfolded
    ? new Map<string, string>()
    : foldedColumns(all, rows, ({ field }, row) => valueText(record.kind, field, row.after[field.key], locale))
  const columns = all.filter(({ field }) => !foldedTexts.has(field.key))
  const [active, setActive] = useState<CellPosition | null>(null)
  const [editing, setEditing] = useState<string | null>(null)
  const [moveCount, setMoveCount] = useState(0)
  const goTo = (at: CellPosition | null) => {
    setActive(at)
    setEditing(null)
    if (at) setMoveCount((count) => count + 1)
  }

  // A fault on another page of the preview is focused once its rows are loaded.
  const pendingDirection = useRef<1 | -1>(undefined)
  const focusPendingCell = useEffectEvent(() => {
    const by = pendingDirection.current
    if (by === undefined || isPlaceholderData || !data) return
    pendingDirection.current = undefined
    const at = nextFault(rows, columns, corrections, null, by)
    if (at) goTo(at)
  })
  useEffect(() => focusPendingCell(), [data, isPlaceholderData])

  const findFault = (by: 1 | -1) => {
    if (!faultFilters.includes(filter)) {
      pendingDirection.current = 1
      return request.change({ rows: (record.summary?.error ?? 0) > 0 ? 'error' : 'warning' })
    }
    const at = nextFault(rows, columns, corrections, active, by)
    if (at) return goTo(at)
    const { error: errors = 0, warning = 0 } = record.summary ?? {}
    const faults = filter === 'error' ? errors : filter === 'warning' ? warning : errors + warning
    const pages = Math.max(1, Math.ceil(faults / rowsPageSize))
    const nextIndex = (((page - 1 + by) % pages) + pages) % pages
    if (nextIndex + 1 === page) {
      return goTo(nextFault(rows, columns, corrections, null, by) ?? active)
    }
    pendingDirection.current = by
    return request.change({ page: nextIndex + 1 })
  }

  const rowOf = (number: number) => rows.find(({ row }) => row === number)
  const putCorrections = (newCorrections: readonly Correction[]) => {
    const formerTexts = newCorrections.map(({ row, key }) => {
      const shownRow = rowOf(row)
      return shownRow ? correctedAt(shownRow, key, corrections) : null
    })
    corrections.put(newCorrections, formerTexts)
  }
  return {
    record,
    columns,
    foldedColumns: all.flatMap(({ field }) => {
      const text = foldedTexts.get(field.key)
      return text === undefined ? [] : [{ field, text }]
    }),
    unfoldColumns: () => setUnfolded(true),
    rows,
    total: data?.meta.pagination.total,
    isOld: isPlaceholderData,
    error: data ? null : error,
    refetch: () => void refetch(),
    ...request,
    corrections,
    activeCell: active,
    editedText: editing,
    moveCount,
    goTo,
    edit: (at, text) => {
      setActive(at)
      setEditing(text)
    },
    finishEditing: (text) => {
      setEditing(null)
      const row = active && rowOf(active.row)
      if (text === null || !active || !row) return
      const currentText = correctedAt(row, active.key, corrections) ?? row.given[active.key] ?? ''
      if (text.trim() === currentText.trim()) return
      // Text equal to the value of the file is no correction.
      putCorrections([{ ...active, text: text.trim() === (row.given[active.key] ?? '').trim() ? null : text }])
    },
    put: putCorrections,
    skip: (row, isSkipped) => putCorrections([{ row, key: skipKey, text: isSkipped ? 'yes' : null }]),
    confirm: (row, isConfirmed) => putCorrections([{ row, key: confirmKey, text: isConfirmed ? 'yes' : null }]),
    undo: () => {
      const at = corrections.undo()
      if (at && at.key !== skipKey && at.key !== confirmKey && rowOf(at.row)) goTo(at)
      return at !== undefined
    },
    nextFault: findFault,
  }
}
