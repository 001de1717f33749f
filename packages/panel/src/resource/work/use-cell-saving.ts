/**
 * Saves changed cells as one step: seen at once, put back when the server refuses. What could not be saved stays as it
 * was typed, each cell with its fault, until it is mended or taken back; a reload does not lose it.
 */
import type { Entry, Resource } from '@dala/model'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { t } from '../../lib/i18n.ts'
import { painted } from '../../lib/painted.ts'
import { offerUndo } from '../../ui/undo.ts'
import { wireValue } from './bulk-actions.ts'
import { type BulkRow, patchRows, refresh, rowsOf, startBulk, undoJob, whenDone } from './bulk-api.ts'
import { reasonOf } from './bulk-rows.tsx'
import { keyOf } from './cell-grid.ts'
import { type Draft, type Drafts, draftsOf, keepCells, readCells } from './kept-cells.ts'

/** What a draft changes in its record. */
const valuesOf = ({ place, value, follows }: Draft): Record<string, unknown> => ({ ...follows, [place.name]: value })

function byRecord(drafts: readonly Draft[]): Map<number, Record<string, unknown>> {
  const rows = new Map<number, Record<string, unknown>>()
  for (const draft of drafts) rows.set(draft.place.id, { ...rows.get(draft.place.id), ...valuesOf(draft) })
  return rows
}

/** A record as the lists show it now: an edit before this one has renewed its version. */
function shownRecord(cache: QueryClient, resource: Resource, id: number): Entry | undefined {
  const pages = cache.getQueriesData<{ entries: Entry[] }>({ queryKey: ['resource', resource.name, 'list'] })
  return pages.flatMap(([, page]) => page?.entries ?? []).find((entry) => entry.id === id && 'version' in entry)
}

function mostRecent(resource: Resource, cache: QueryClient, id: number): { version?: number } {
  const version = shownRecord(cache, resource, id)?.['version']
  return typeof version === 'number' ? { version } : {}
}

/** The cells of refused rows with their reasons: at the field that is at fault, else at the row's first changed cell. */
function withFaults(drafts: readonly Draft[], refused: readonly BulkRow[]): Draft[] {
  const marked = new Map<string, string>()
  for (const row of refused) {
    const own = drafts.filter(({ place }) => place.id === row.id)
    const named = own.filter(({ place }) => row.issues?.some(({ path }) => path[0] === place.name))
    for (const { place } of named.length > 0 ? named : own.slice(0, 1)) marked.set(keyOf(place), reasonOf(row))
  }
  return drafts.map((draft) => ({ ...draft, fault: marked.get(keyOf(draft.place)) }))
}

/** In: the resource of the list, and who works in it. */
export function useCellSaving(resource: Resource, user: number) {
  const cache = useQueryClient()
  const [drafts, setDrafts] = useState(() => readCells(user, resource.name))
  useEffect(() => keepCells(user, resource.name, drafts), [user, resource, drafts])
  const keep = (kept: readonly Draft[]) => setDrafts((known): Drafts => new Map([...known, ...draftsOf(kept)]))
  const drop = (dropped: readonly Draft[]) => {
    const keys = new Set(dropped.map(({ place }) => keyOf(place)))
    setDrafts((known) => (known.size === 0 ? known : new Map([...known].filter(([key]) => !keys.has(key)))))
  }

  /** Shows the values, and gives the way back to what was there. */
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
          const names = Object.keys(next.get(entry.id) ?? {})
          return { ...entry, ...Object.fromEntries(names.map((name) => [name, old[name]])) }
        }),
      )
  }

  const save = useMutation({
    meta: { inPlace: true },
    // One after the other: the next edit of a record is made against the version that this one gives it.
    scope: { id: `cells ${resource.name}` },
    mutationFn: async (changed: readonly Draft[]) => {
      const rows = [...byRecord(changed)].map(([id, values]) => ({
        id,
        ...mostRecent(resource, cache, id),
        values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wireValue(value)])),
      }))
      const job = await whenDone(
        await startBulk({ resource: resource.wire, action: { kind: 'edit', rows }, mode: 'all' }),
      )
      if (job.state === 'finished' && job.refused === 0) return { job, refused: [] }
      const { rows: refused } = await rowsOf(job.id, 'refused', rows.length)
      return { job, refused }
    },
    onSuccess: () => refresh(cache),
    // What was typed is shown as not saved at once: without a connection the rows are tried for seconds.
    onError: () => void refresh(cache),
  })

  /** Saves cells that have passed the check. What is refused comes back as drafts. */
  const send = async (changed: readonly Draft[]): Promise<boolean> => {
    if (changed.length === 0) return true
    const lists = { queryKey: ['resource', resource.name, 'list'] }
    // At once where nothing is being read: the values are drawn together with the input that goes.
    if (cache.isFetching(lists) > 0) await cache.cancelQueries(lists)
    const takeBack = show(changed)
    drop(changed)
    try {
      await painted()
      const { job, refused } = await save.mutateAsync(changed)
      if (refused.length > 0 || job.state !== 'finished') {
        takeBack()
        keep(withFaults(changed, refused))
        return false
      }
      if (job.changed > 0 && job.canUndo) {
        offerUndo({
          title: t('bulk.cellsDone', { count: changed.length }),
          undo: () => undoJob(cache, job.id),
        })
      }
      return true
    } catch (error) {
      takeBack()
      const fault = wordsOfFailure(error)
      keep(changed.map((draft) => ({ ...draft, fault })))
      return false
    }
  }

  return { drafts, keep, drop, send, isSaving: save.isPending }
}

export type CellSaving = ReturnType<typeof useCellSaving>
