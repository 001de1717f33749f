/**
 * Saves changed cells as one job: shown at once, rolled back when the server refuses. Refused cells keep
 * their text and error as drafts until the user corrects or discards them. Drafts survive a reload, and
 * leaving the list before the answer. A colleague's value is never overwritten before the user has seen it.
 */
import type { Entry, Locale, Screen } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { t, tFirst, useLocale } from '../../../lib/i18n.ts'
import { painted } from '../../../lib/painted.ts'
import { useIsMounted } from '../../../lib/hooks/use-is-mounted.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { isSame } from '../../form/saving/merge.ts'
import { wireValue } from '../bulk/actions.ts'
import { type BulkRow, patchRows, refresh, rowsOf, startBulk, undoJob, whenDone } from '../bulk/api.ts'
import { reasonOf } from '../bulk/rows.tsx'
import { conflictOf, valuesBefore, valuesOf } from './conflict.ts'
import { keyOf } from './grid.ts'
import { cellWords } from './names.ts'
import { textOfCell } from './cell-text.ts'
import type { Draft } from './cell-draft.ts'
import { shownRecord } from './shown-record.ts'
import { useWaitingCells } from './use-waiting-cells.ts'

function byRecord(drafts: readonly Draft[]): Map<number, Record<string, unknown>> {
  const rows = new Map<number, Record<string, unknown>>()
  for (const draft of drafts) rows.set(draft.place.id, { ...rows.get(draft.place.id), ...valuesOf(draft) })
  return rows
}

/** The cells of refused rows with their reasons: at the wrong field, else at the row's first changed cell. */
function withFaults(drafts: readonly Draft[], refused: readonly BulkRow[]): Draft[] {
  const marked = new Map<string, string>()
  for (const row of refused) {
    const own = drafts.filter(({ place }) => place.id === row.id)
    const named = own.filter(({ place }) => row.issues?.some(({ path }) => path[0] === place.name))
    for (const { place } of named.length > 0 ? named : own.slice(0, 1)) marked.set(keyOf(place), reasonOf(row))
  }
  return drafts.map((draft) => ({ ...draft, fault: marked.get(keyOf(draft.place)) }))
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
  const isThere = useIsMounted()
  const { drafts, begin, keep, drop, begins, ends } = useWaitingCells(resource, user)

  /** Marks drafts where a colleague has stored another value. A user who then saves again has seen it. */
  const compared = (changed: readonly Draft[], liveOf = (draft: Draft) => shownRecord(cache, resource, draft.place)) =>
    changed.map((draft): Draft => {
      const live = hasFault(draft) ? undefined : liveOf(draft)
      const name = live && conflictOf(draft, live)
      if (!live || name === undefined) return draft
      const theirs = textOfCell(resource, name, live[name], cellWords(locale)) || t('conflict.nothing')
      return { ...draft, seen: [valuesBefore(draft, live)], fault: t('bulk.cellClash', { theirs }) }
    })

  /** Shows the values. Returns a function that restores the former ones. */
  const show = (changed: readonly Draft[]): (() => void) => {
    const next = byRecord(changed)
    const before = new Map<number, Entry>()
    patchRows(cache, resource, (entries) =>
      entries.map((entry) => {
        const values = next.get(entry.id)
        if (!values) return entry
        before.set(entry.id, entry)
        return { ...entry, ...values }
      }),
    )
    return () =>
      patchRows(cache, resource, (entries) =>
        entries.map((entry) => {
          const old = before.get(entry.id)
          if (!old) return entry
          // Later changes of the row, by another edit or a colleague, stay.
          const shown = Object.entries(next.get(entry.id) ?? {}).filter(([name, value]) => isSame(entry[name], value))
          return { ...entry, ...Object.fromEntries(shown.map(([name]) => [name, old[name]])) }
        }),
      )
  }

  /** The current records; those of another page are loaded. */
  const liveRecords = async (changed: readonly Draft[]): Promise<ReadonlyMap<number, Entry>> => {
    const { one } = resourceQueries(resource)
    const places = new Map(changed.map(({ place }) => [place.id, place]))
    const live = [...places].map(async ([id, place]): Promise<[number, Entry]> => {
      const shown = shownRecord(cache, resource, place)
      return [id, shown ?? (await cache.query({ ...one(id, language), staleTime: 0 }))]
    })
    return new Map(await Promise.all(live))
  }

  const save = useMutation({
    meta: { inPlace: true, handled: true },
    // Saves run in sequence: the next edit of a record uses the version that this one creates.
    scope: { id: `cells ${resource.name}` },
    mutationFn: async (changed: readonly Draft[]) => {
      const live = await liveRecords(changed)
      // Compared again: a colleague's value may have arrived during the previous saves.
      const clashing = compared(changed, ({ place }) => live.get(place.id))
      if (clashing.some(hasFault)) return { failed: clashing }
      const rows = [...byRecord(changed)].map(([id, values]) => {
        const version = live.get(id)?.['version']
        return {
          id,
          ...(typeof version === 'number' && { version }),
          values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wireValue(value)])),
        }
      })
      const job = await whenDone(
        await startBulk({ resource: resource.wire, action: { kind: 'edit', rows }, mode: 'all' }),
      )
      if (job.state === 'finished' && job.refused === 0) return { job, failed: [] }
      const { rows: refused } = await rowsOf(job.id, 'refused', rows.length)
      return { job, failed: withFaults(changed, refused) }
    },
    onSuccess: () => refresh(cache),
    // Shown as unsaved at once: without a connection, the refetch retries for seconds.
    onError: () => void refresh(cache),
  })

  /** Saves checked cells. Refused ones come back as drafts. */
  const send = async (changed: readonly Draft[]): Promise<boolean> => {
    if (changed.length === 0) return true
    const clashing = compared(changed)
    if (clashing.some(hasFault)) {
      keep(clashing)
      return false
    }
    const lists = { queryKey: ['resource', resource.name, 'list'] }
    // No await without running fetches: the values must render together with the closing input.
    if (cache.isFetching(lists) > 0) await cache.cancelQueries(lists)
    const takeBack = show(changed)
    begins(changed)
    const fail = (failed: readonly Draft[]) => {
      takeBack()
      ends(changed, failed)
      if (isThere()) return false
      const title = t('message.notSaved', { resource: tFirst([`${labelPrefix}.one`]) })
      showToast({ kind: 'error', title, text: failed.find(hasFault)?.fault })
      return false
    }
    try {
      await painted()
      const { job, failed } = await save.mutateAsync(changed)
      if (!job || failed.length > 0) return fail(failed)
      ends(changed)
      if (job.changed > 0 && job.canUndo) {
        offerUndo({
          title: t('bulk.cellsDone', { count: changed.length }),
          undo: () => undoJob(cache, job.id),
        })
      }
      return true
    } catch (error) {
      const fault = messageOfFailure(error)
      return fail(changed.map((draft) => ({ ...draft, fault })))
    }
  }

  return { drafts, compared, begin, keep, drop, send, isSaving: save.isPending }
}

export type CellSaving = ReturnType<typeof useCellSaving>
