/**
 * Moves in an outline are shown immediately and saved one after the other. After a conflict, both orders are
 * compared.
 */
import type { Locale } from '@dala/model'
import type { Outline } from '@dala/model/api/learning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { outlineQuery, saveOrder } from './api.ts'
import type { Move } from './tree.ts'

function isOutline(value: unknown): value is Outline {
  return typeof value === 'object' && value !== null && 'version' in value && 'groups' in value && 'lessons' in value
}

/** Moves in the outline that the server refused because a colleague had changed the order before. */
export interface OrderConflict {
  outlineMoves: readonly Move[]
  /** The outline with the user's refused moves, and the outline of the colleague. */
  ownOutline: Outline
  theirs: Outline
}

/** A move in the outline that is being saved, and the function to call afterwards. */
interface SavedMove {
  change: Move
  onStored: (() => void) | undefined
}

export interface OutlineMoves {
  /** Shows a move in the outline and saves it; `onStored` is called once the server has stored the move. */
  move: (move: Move, onStored?: () => void) => void
  isSaving: boolean
  conflict: OrderConflict | undefined
  /** Ends the conflict: the refused moves are made again, or given up. */
  resolveConflict: (choice: 'again' | 'theirs') => void
}

/**
 * Moves rows of an outline and saves the moves.
 *
 * @param course - Id of the course.
 * @param locale - The language of the visible titles.
 */
export function useOutlineMoves(course: number, locale: Locale): OutlineMoves {
  const cache = useQueryClient()
  const { queryKey } = outlineQuery(course, locale)
  const [conflict, setConflict] = useState<OrderConflict | undefined>(undefined)
  /** The conflict for the next waiting move, which runs before the next render. */
  const openConflict = useRef<OrderConflict | undefined>(undefined)
  const openConflictDialog = (newConflict: OrderConflict | undefined) => {
    openConflict.current = newConflict
    setConflict(newConflict)
  }
  const save = useMutation({
    mutationKey: ['outline', course],
    // Quick moves are saved one after the other: each is based on the version that the previous one returned.
    scope: { id: `outline-${course}` },
    mutationFn: async ({ change }: SavedMove) => {
      const { current } = openConflict
      if (current) {
        openConflictDialog({ ...current, outlineMoves: [...current.outlineMoves, change] })
        return undefined
      }
      const optimisticOutline = cache.getQueryData(queryKey)
      return optimisticOutline && saveOrder(course, locale, optimisticOutline)
    },
    onSuccess: (storedOutline, { onStored }) => {
      if (!storedOutline) return
      onStored?.()
      // The visible outline may already include a later move, so only its version is replaced.
      cache.setQueryData(queryKey, (now) => now && { ...now, version: storedOutline.version })
    },
    onError: (error, { change }) => {
      const ownOutline = cache.getQueryData(queryKey)
      const currentOutline = error instanceof ApiError && error.status === 409 ? error.details['current'] : undefined
      if (!ownOutline || !isOutline(currentOutline)) {
        void cache.invalidateQueries({ queryKey })
        return
      }
      cache.setQueryData(queryKey, currentOutline)
      openConflictDialog({ outlineMoves: [change], ownOutline, theirs: currentOutline })
    },
    onSettled: () => {
      if (cache.isMutating({ mutationKey: ['outline', course] }) > 1) return
      // Lists, records and outlines in other languages show positions too; the visible outline is up to date.
      void cache.invalidateQueries({
        predicate: ({ queryKey: key }) => key[0] === 'resource' && key.join() !== queryKey.join(),
      })
    },
  })
  const move = (change: Move, onStored?: () => void) => {
    const now = cache.getQueryData(queryKey)
    if (!now || change(now) === now) return
    void cache.cancelQueries({ queryKey })
    cache.setQueryData(queryKey, change(now))
    save.mutate({ change, onStored })
  }
  return {
    move,
    isSaving: save.isPending,
    conflict,
    resolveConflict: (choice) => {
      const refusedMoves = conflict?.outlineMoves ?? []
      openConflictDialog(undefined)
      if (choice === 'again') move((outline) => refusedMoves.reduce((now, change) => change(now), outline))
    },
  }
}
