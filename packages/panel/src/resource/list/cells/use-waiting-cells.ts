/**
 * The unsaved cells of a list: drafts that need a decision, and those being sent. Both are stored in the
 * browser until the answer arrives. They outlive the list, which may be left and opened again before that.
 */
import type { Entry, Resource } from '@dala/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { isStored, valuesBefore } from './conflict.ts'
import { keyOf } from './grid.ts'
import { type Draft, type Drafts, draftsOf, readCells, storeCells } from './cell-draft.ts'
import { shownRecord } from './shown-record.ts'

interface Unsaved {
  waiting: Drafts
  sending: Drafts
}

function without(known: Drafts, dropped: readonly Draft[]): Drafts {
  const keys = new Set(dropped.map(({ place }) => keyOf(place)))
  return known.size === 0 ? known : new Map([...known].filter(([key]) => !keys.has(key)))
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
  const read = (): Unsaved => ({ waiting: readCells(user, resource.name), sending: new Map() })
  const { data } = useQuery({ queryKey, queryFn: read, initialData: read, enabled: false })
  const now = () => cache.getQueryData<Unsaved>(queryKey) ?? read()
  const change = (next: Partial<Unsaved>) => {
    const unsaved = { ...now(), ...next }
    cache.setQueryData<Unsaved>(queryKey, unsaved)
    storeCells(user, resource.name, new Map([...unsaved.sending, ...unsaved.waiting]))
  }
  const drop = (dropped: readonly Draft[]) => change({ waiting: without(now().waiting, dropped) })

  // Saved although the answer was lost, or a colleague has stored the same value.
  const stored = [...data.waiting.values()].filter((draft) => {
    const live = shownRecord(cache, resource, draft.place)
    return live && isStored(draft, live)
  })
  const forget = useEffectEvent(() => drop(stored))
  const isAnyStored = stored.length > 0
  useEffect(() => {
    if (isAnyStored) forget()
  }, [isAnyStored])

  return {
    drafts: without(data.waiting, stored),
    /**
     * Adds the values that the user has seen to a draft. A draft over an older one keeps those of the older
     * one.
     */
    begin: (draft: Draft, entry: Entry | undefined): Draft => {
      const { waiting, sending } = now()
      const key = keyOf(draft.place)
      const under = waiting.get(key)
      if (under) return { ...draft, seen: under.seen }
      return entry ? { ...draft, seen: [...(sending.get(key)?.seen ?? []), valuesBefore(draft, entry)] } : draft
    },
    keep: (kept: readonly Draft[]) => change({ waiting: new Map([...now().waiting, ...draftsOf(kept)]) }),
    drop,
    /** Moves drafts to the cells being sent. */
    begins: (sent: readonly Draft[]) => {
      const { waiting, sending } = now()
      change({ waiting: without(waiting, sent), sending: new Map([...sending, ...draftsOf(sent)]) })
    },
    /**
     * Handles the answer. Failed cells become drafts again, except where the user has edited the cell since.
     */
    ends: (sent: readonly Draft[], failed: readonly Draft[] = []) => {
      const { waiting, sending } = now()
      const own = sent.filter((draft) => sending.get(keyOf(draft.place)) === draft)
      const isOwn = draftsOf(own)
      const back = failed.filter(({ place }) => isOwn.has(keyOf(place)))
      change({ waiting: new Map([...draftsOf(back), ...waiting]), sending: without(sending, own) })
    },
  }
}
