/**
 * Moves in an outline: shown immediately, saved one after the other, and refused on a conflict with a
 * colleague.
 */
import type { Locale } from '@dala/model'
import type { Outline } from '@dala/model/api/learning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { outlineQuery, saveOrder } from './api.ts'
import type { Move } from './tree.ts'

function isOutline(value: unknown): value is Outline {
  return typeof value === 'object' && value !== null && 'version' in value && 'groups' in value && 'lessons' in value
}

export interface OutlineMoves {
  move: (move: Move) => void
  isSaving: boolean
  /** A move refused because of a conflict; it can be repeated on the current outline. */
  refusedMove: Move | undefined
  forget: () => void
}

/**
 * Moves of an outline.
 *
 * @param course - Id of the course.
 * @param locale - The language of the visible titles.
 */
export function useOutlineMoves(course: number, locale: Locale): OutlineMoves {
  const cache = useQueryClient()
  const { queryKey } = outlineQuery(course, locale)
  const [refusedMove, setRefusedMove] = useState<Move | undefined>(undefined)
  const save = useMutation({
    mutationKey: ['outline', course],
    // Quick moves run one after the other: each is based on the version that the previous one returned.
    scope: { id: `outline-${course}` },
    mutationFn: async (_move: Move) => {
      const optimistic = cache.getQueryData(queryKey)
      return optimistic && saveOrder(course, locale, optimistic)
    },
    onSuccess: (stored) => {
      // The visible order may already include a later move; only the version is new.
      if (stored) cache.setQueryData(queryKey, (now) => now && { ...now, version: stored.version })
    },
    onError: (error, move) => {
      if (!(error instanceof ApiError) || error.status !== 409 || !isOutline(error.details['current'])) {
        void cache.invalidateQueries({ queryKey })
        return
      }
      cache.setQueryData(queryKey, error.details['current'])
      setRefusedMove(() => move)
    },
    onSettled: () => {
      if (cache.isMutating({ mutationKey: ['outline', course] }) > 1) return
      // Lists, records and outlines in other languages show positions too; the visible outline is up to date.
      void cache.invalidateQueries({
        predicate: ({ queryKey: key }) => key[0] === 'resource' && key.join() !== queryKey.join(),
      })
    },
  })
  return {
    move: (move) => {
      const now = cache.getQueryData(queryKey)
      if (!now || move(now) === now) return
      setRefusedMove(undefined)
      void cache.cancelQueries({ queryKey })
      cache.setQueryData(queryKey, move(now))
      save.mutate(move)
    },
    isSaving: save.isPending,
    refusedMove,
    forget: () => setRefusedMove(undefined),
  }
}
