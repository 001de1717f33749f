/**
 * Saves changed cells as one job: shown at once, rolled back when the server refuses. Refused cells keep
 * their text and error as drafts until the user corrects or discards them. Drafts survive a reload, and
 * leaving the list before the answer. A colleague's value is never overwritten before the user has seen it.
 */
import type { Entry, Locale, Screen } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { t, firstTranslation, useLocale } from '../../../lib/i18n.ts'
import { nextPaint } from '../../../lib/painted.ts'
import { useIsMounted } from '../../../lib/hooks/use-is-mounted.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { isSame } from '../../form/saving/merge.ts'
import { wireValue } from '../bulk/actions.ts'
import { type BulkRow, patchRows, refreshRecords, rowsOf, startBulk, undoJob, waitForJob } from '../bulk/api.ts'
import { reasonOf } from '../bulk/rows.tsx'
import { conflictOf, valuesBefore, valuesOf } from './conflict.ts'
import { keyOf } from './grid.ts'
import { cellTextContext } from './names.ts'
import { textOfCell } from './cell-text.ts'
import type { Draft } from './cell-draft.ts'
import { shownRecord } from './shown-record.ts'
import { useWaitingCells } from './use-waiting-cells.ts'

function draftsByRecord(drafts: readonly Draft[]): Map<number, Record<string, unknown>> {
  const rows = new Map<number, Record<string, unknown>>()
  for (const draft of drafts) rows.set(draft.place.id, { ...rows.get(draft.place.id), ...valuesOf(draft) })
  return rows
}

/** Cells of refused rows with their reasons: at the wrong field, else at the row's first changed cell. */
function markRefusedDrafts(drafts: readonly Draft[], refusedRows: readonly BulkRow[]): Draft[] {
  const faultById = new Map<string, string>()
  for (const row of refusedRows) {
    const ownDrafts = drafts.filter(({ place }) => place.id === row.id)
    const blamedDrafts = ownDrafts.filter(({ place }) => row.issues?.some(({ path }) => path[0] === place.name))
    for (const { place } of blamedDrafts.length > 0 ? blamedDrafts : ownDrafts.slice(0, 1))
      faultById.set(keyOf(place), reasonOf(row))
  }
  return drafts.map((draft) => ({ ...draft, fault: faultById.get(keyOf(draft.place)) }))
}

const hasFault = ({ fault }: Draft) => fault !== undefined

/**
 * Saves the cells of a list.
 *
 * @param screen - The screen of the list.
 * @param language - The language of the list.
 * @param user - The id of the user.
 */
export function useCellSaving({ resource, labelPrefix }: Screen, language: Locale, user: number) {
  const cache = useQueryClient()
  const locale = useLocale()
  const isMounted = useIsMounted()
  const {
    drafts,
    beginSave: begin,
    keepDrafts: keep,
    drop,
    beginSaving: begins,
    ends,
  } = useWaitingCells(resource, user)

  /**
   * Marks drafts of cells where a colleague has stored another value. A user who then saves again has seen
   * that value.
   */
  const resolveConflicts = (
    changedDrafts: readonly Draft[],
    liveOf = (draft: Draft) => shownRecord(cache, resource, draft.place),
  ) =>
    changedDrafts.map((draft): Draft => {
      const current = hasFault(draft) ? undefined : liveOf(draft)
      const name = current && conflictOf(draft, current)
      if (!current || name === undefined) return draft
      const storedText = textOfCell(resource, name, current[name], cellTextContext(locale)) || t('conflict.nothing')
      return { ...draft, seen: [valuesBefore(draft, current)], fault: t('bulk.cellClash', { theirs: storedText }) }
    })

  /** Shows the new values of cells. Returns a function that restores the former ones. */
  const showNewValues = (changedDrafts: readonly Draft[]): (() => void) => {
    const valuesById = draftsByRecord(changedDrafts)
    const formerEntries = new Map<number, Entry>()
    patchRows(cache, resource, (entries) =>
      entries.map((entry) => {
        const values = valuesById.get(entry.id)
        if (!values) return entry
        formerEntries.set(entry.id, entry)
        return { ...entry, ...values }
      }),
    )
    return () =>
      patchRows(cache, resource, (entries) =>
        entries.map((entry) => {
          const formerEntry = formerEntries.get(entry.id)
          if (!formerEntry) return entry
          // Later changes of the row, by another edit or a colleague, stay when a refused save is rolled
          // back.
          const shownValues = Object.entries(valuesById.get(entry.id) ?? {}).filter(([name, value]) =>
            isSame(entry[name], value),
          )
          return { ...entry, ...Object.fromEntries(shownValues.map(([name]) => [name, formerEntry[name]])) }
        }),
      )
  }

  /** Loads the current records of edited cells that are on another page. */
  const currentRecords = async (changedDrafts: readonly Draft[]): Promise<ReadonlyMap<number, Entry>> => {
    const { one } = resourceQueries(resource)
    const placeById = new Map(changedDrafts.map(({ place }) => [place.id, place]))
    const records = [...placeById].map(async ([id, cellPlace]): Promise<[number, Entry]> => {
      const cachedRecord = shownRecord(cache, resource, cellPlace)
      return [id, cachedRecord ?? (await cache.query({ ...one(id, language), staleTime: 0 }))]
    })
    return new Map(await Promise.all(records))
  }

  const save = useMutation({
    meta: { inPlace: true, handled: true },
    // Saves of cells run in sequence: the next edit of a record uses the version that this save creates.
    scope: { id: `cells ${resource.name}` },
    mutationFn: async (changedDrafts: readonly Draft[]) => {
      const current = await currentRecords(changedDrafts)
      // The stored values of the cells are compared again: a colleague's value may have arrived during the
      // previous saves.
      const conflictingChanges = resolveConflicts(changedDrafts, ({ place }) => current.get(place.id))
      if (conflictingChanges.some(hasFault)) return { failed: conflictingChanges }
      const rows = [...draftsByRecord(changedDrafts)].map(([id, values]) => {
        const version = current.get(id)?.['version']
        return {
          id,
          ...(typeof version === 'number' && { version }),
          values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wireValue(value)])),
        }
      })
      const job = await waitForJob(
        await startBulk({ resource: resource.wire, action: { kind: 'edit', rows }, mode: 'all' }),
      )
      if (job.state === 'finished' && job.refused === 0) return { job, failed: [] }
      const { rows: refusedRows } = await rowsOf(job.id, 'refused', rows.length)
      return { job, failed: markRefusedDrafts(changedDrafts, refusedRows) }
    },
    onSuccess: () => refreshRecords(cache),
    // The refused cells are marked as unsaved immediately: without a connection the refetch retries for
    // seconds.
    onError: () => void refreshRecords(cache),
  })

  /** Saves checked cells. Refused cells become drafts again. */
  const send = async (changedDrafts: readonly Draft[]): Promise<boolean> => {
    if (changedDrafts.length === 0) return true
    const conflictingChanges = resolveConflicts(changedDrafts)
    if (conflictingChanges.some(hasFault)) {
      keep(conflictingChanges)
      return false
    }
    const lists = { queryKey: ['resource', resource.name, 'list'] }
    // Nothing is awaited without running requests: the new values must render together with the closing
    // input.
    if (cache.isFetching(lists) > 0) await cache.cancelQueries(lists)
    const restoreFormerValues = showNewValues(changedDrafts)
    begins(changedDrafts)
    const handleFailure = (failedDrafts: readonly Draft[]) => {
      restoreFormerValues()
      ends(changedDrafts, failedDrafts)
      if (isMounted()) return false
      const title = t('message.notSaved', { resource: firstTranslation([`${labelPrefix}.one`]) })
      showToast({ kind: 'error', title, text: failedDrafts.find(hasFault)?.fault })
      return false
    }
    try {
      await nextPaint()
      const { job, failed } = await save.mutateAsync(changedDrafts)
      if (!job || failed.length > 0) return handleFailure(failed)
      ends(changedDrafts)
      if (job.changed > 0 && job.canUndo) {
        offerUndo({
          title: t('bulk.cellsDone', { count: changedDrafts.length }),
          undo: () => undoJob(cache, job.id),
        })
      }
      return true
    } catch (error) {
      const fault = messageOfFailure(error)
      return handleFailure(changedDrafts.map((draft) => ({ ...draft, fault })))
    }
  }

  return { drafts, compared: resolveConflicts, begin, keep, drop, send, isSaving: save.isPending }
}

export type CellSaving = ReturnType<typeof useCellSaving>
