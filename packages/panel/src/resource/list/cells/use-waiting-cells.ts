/**
 * The unsaved cells of a list: drafts that need a decision, and those being sent. Both are stored in the
 * browser until the answer arrives. They outlive the list, which may be left and opened again before that.
 */
import type { Entry, Resource } from '@dala/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { isStored, valuesBefore } from './conflict.ts'
import { keyOf } from './grid.ts'
import { type Draft, type CellDraftMap, draftsOf, readCells, storeCells } from './cell-draft.ts'
import { shownRecord } from './shown-record.ts'

interface UnsavedCells {
  waiting: CellDraftMap
  sending: CellDraftMap
}

function removeDrafts(drafts: CellDraftMap, droppedDrafts: readonly Draft[]): CellDraftMap {
  const keys = new Set(droppedDrafts.map(({ place }) => keyOf(place)))
  return drafts.size === 0 ? drafts : new Map([...drafts].filter(([key]) => !keys.has(key)))
}

/**
 * Tracks the unsaved cells of a list.
 *
 * @param resource - The resource of the list.
 * @param user - The id of the user.
 */
export function useWaitingCells(resource: Resource, user: number) {
  const cache = useQueryClient()
  const queryKey = ['cells', user, resource.name]
  const readUnsavedCells = (): UnsavedCells => ({ waiting: readCells(user, resource.name), sending: new Map() })
  const { data } = useQuery({ queryKey, queryFn: readUnsavedCells, initialData: readUnsavedCells, enabled: false })
  const now = () => cache.getQueryData<UnsavedCells>(queryKey) ?? readUnsavedCells()
  const change = (draftChange: Partial<UnsavedCells>) => {
    const unsavedDrafts = { ...now(), ...draftChange }
    cache.setQueryData<UnsavedCells>(queryKey, unsavedDrafts)
    storeCells(user, resource.name, new Map([...unsavedDrafts.sending, ...unsavedDrafts.waiting]))
  }
  const dropDrafts = (droppedDrafts: readonly Draft[]) =>
    change({ waiting: removeDrafts(now().waiting, droppedDrafts) })

  // Drafts of cells whose value is stored: the response of their save was lost, or a colleague has stored the
  // same value.
  const storedDrafts = [...data.waiting.values()].filter((draft) => {
    const current = shownRecord(cache, resource, draft.place)
    return current && isStored(draft, current)
  })
  const dropStoredDrafts = useEffectEvent(() => dropDrafts(storedDrafts))
  const isAnyStored = storedDrafts.length > 0
  useEffect(() => {
    if (isAnyStored) dropStoredDrafts()
  }, [isAnyStored])

  return {
    drafts: removeDrafts(data.waiting, storedDrafts),
    /**
     * Adds the values that the user has seen to a draft of a cell. A newer draft keeps the seen values of the
     * older one.
     */
    beginSave: (draft: Draft, entry: Entry | undefined): Draft => {
      const { waiting, sending } = now()
      const key = keyOf(draft.place)
      const currentDraft = waiting.get(key)
      if (currentDraft) return { ...draft, seen: currentDraft.seen }
      return entry ? { ...draft, seen: [...(sending.get(key)?.seen ?? []), valuesBefore(draft, entry)] } : draft
    },
    keepDrafts: (drafts: readonly Draft[]) => change({ waiting: new Map([...now().waiting, ...draftsOf(drafts)]) }),
    drop: dropDrafts,
    /** Moves drafts of cells to the cells being sent. */
    beginSaving: (sentDrafts: readonly Draft[]) => {
      const { waiting, sending } = now()
      change({ waiting: removeDrafts(waiting, sentDrafts), sending: new Map([...sending, ...draftsOf(sentDrafts)]) })
    },
    /**
     * Handles the answer to saved cells. Failed cells become drafts again, except where the user has edited
     * the cell since.
     */
    ends: (sentDrafts: readonly Draft[], failedDrafts: readonly Draft[] = []) => {
      const { waiting, sending } = now()
      const ownDrafts = sentDrafts.filter((draft) => sending.get(keyOf(draft.place)) === draft)
      const isOwn = draftsOf(ownDrafts)
      const failedOwn = failedDrafts.filter(({ place }) => isOwn.has(keyOf(place)))
      change({ waiting: new Map([...draftsOf(failedOwn), ...waiting]), sending: removeDrafts(sending, ownDrafts) })
    },
  }
}
