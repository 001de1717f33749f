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
  const filter = importFilters.find((knownFilter) => knownFilter === search.rows) ?? initialFilter
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
  goTo: (cellPosition: CellPosition | null) => void
  edit: (cellPosition: CellPosition, text: string) => void
  /** Ends the editing of a preview cell; `null` leaves the cell unchanged. */
  finishEditing: (text: string | null) => void
  put: (corrections: readonly Correction[]) => void
  skip: (row: number, isSkipped: boolean) => void
  /** Confirms the warnings of an imported row, or undoes the confirmation. */
  confirm: (row: number, isConfirmed: boolean) => void
  undo: () => boolean
  nextFault: (direction: 1 | -1) => void
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
  const allColumns = previewColumns(record.kind, mapping.columns, rows)
  const foldedTexts = isUnfolded
    ? new Map<string, string>()
    : foldedColumns(allColumns, rows, ({ field }, row) => valueText(record.kind, field, row.after[field.key], locale))
  const columns = allColumns.filter(({ field }) => !foldedTexts.has(field.key))
  const [currentCell, setActive] = useState<CellPosition | null>(null)
  const [draftText, setEditing] = useState<string | null>(null)
  const [moveCount, setMoveCount] = useState(0)
  const goTo = (cellPosition: CellPosition | null) => {
    setActive(cellPosition)
    setEditing(null)
    if (cellPosition) setMoveCount((count) => count + 1)
  }

  // A fault on another page of the preview is focused once its rows are loaded.
  const pendingDirection = useRef<1 | -1>(undefined)
  const focusPendingCell = useEffectEvent(() => {
    const direction = pendingDirection.current
    if (direction === undefined || isPlaceholderData || !data) return
    pendingDirection.current = undefined
    const faultCell = nextFault(rows, columns, corrections, null, direction)
    if (faultCell) goTo(faultCell)
  })
  useEffect(() => focusPendingCell(), [data, isPlaceholderData])

  const findFault = (direction: 1 | -1) => {
    if (!faultFilters.includes(filter)) {
      pendingDirection.current = 1
      return request.change({ rows: (record.summary?.error ?? 0) > 0 ? 'error' : 'warning' })
    }
    const faultCell = nextFault(rows, columns, corrections, currentCell, direction)
    if (faultCell) return goTo(faultCell)
    const { error: errors = 0, warning = 0 } = record.summary ?? {}
    const faults = filter === 'error' ? errors : filter === 'warning' ? warning : errors + warning
    const pages = Math.max(1, Math.ceil(faults / rowsPageSize))
    const nextIndex = (((page - 1 + direction) % pages) + pages) % pages
    if (nextIndex + 1 === page) {
      return goTo(nextFault(rows, columns, corrections, null, direction) ?? currentCell)
    }
    pendingDirection.current = direction
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
    foldedColumns: allColumns.flatMap(({ field }) => {
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
    activeCell: currentCell,
    editedText: draftText,
    moveCount,
    goTo,
    edit: (cellPosition, text) => {
      setActive(cellPosition)
      setEditing(text)
    },
    finishEditing: (text) => {
      setEditing(null)
      const row = currentCell && rowOf(currentCell.row)
      if (text === null || !currentCell || !row) return
      const currentText = correctedAt(row, currentCell.key, corrections) ?? row.given[currentCell.key] ?? ''
      if (text.trim() === currentText.trim()) return
      // Text equal to the value of the file is no correction.
      putCorrections([
        { ...currentCell, text: text.trim() === (row.given[currentCell.key] ?? '').trim() ? null : text },
      ])
    },
    put: putCorrections,
    skip: (row, isSkipped) => putCorrections([{ row, key: skipKey, text: isSkipped ? 'yes' : null }]),
    confirm: (row, isConfirmed) => putCorrections([{ row, key: confirmKey, text: isConfirmed ? 'yes' : null }]),
    undo: () => {
      const undoneCell = corrections.undo()
      if (undoneCell && undoneCell.key !== skipKey && undoneCell.key !== confirmKey && rowOf(undoneCell.row))
        goTo(undoneCell)
      return undoneCell !== undefined
    },
    nextFault: findFault,
  }
}
