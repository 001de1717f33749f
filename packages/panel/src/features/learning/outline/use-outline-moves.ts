/** Moves in an outline: shown at once, saved one after the other, and kept apart from a colleague's. */
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
  /** A move that met the change of somebody else; it can be made again in the present outline. */
  refused: Move | undefined
  forget: () => void
}

/** In: the course and the language of the titles in sight. */
export function useOutlineMoves(course: number, locale: Locale): OutlineMoves {
  const cache = useQueryClient()
  const { queryKey } = outlineQuery(course, locale)
  const [refused, setRefused] = useState<Move | undefined>(undefined)
  const save = useMutation({
    mutationKey: ['outline', course],
    // Quick moves wait for each other: each is saved on the version that the one before has left.
    scope: { id: `outline-${course}` },
    mutationFn: async (_move: Move) => {
      const wanted = cache.getQueryData(queryKey)
      return wanted && saveOrder(course, locale, wanted)
    },
    onSuccess: (stored) => {
      // The arrangement in sight may be a move ahead already; only the version is news.
      if (stored) cache.setQueryData(queryKey, (now) => now && { ...now, version: stored.version })
    },
    onError: (error, move) => {
      if (!(error instanceof ApiError) || error.status !== 409 || !isOutline(error.details['current'])) {
        void cache.invalidateQueries({ queryKey })
        return
      }
      cache.setQueryData(queryKey, error.details['current'])
      setRefused(() => move)
    },
    onSettled: () => {
      if (cache.isMutating({ mutationKey: ['outline', course] }) > 1) return
      // Lists, records and outlines in other languages show places, too; the one in sight has them.
      void cache.invalidateQueries({
        predicate: ({ queryKey: key }) => key[0] === 'resource' && key.join() !== queryKey.join(),
      })
    },
  })
  return {
    move: (move) => {
      const now = cache.getQueryData(queryKey)
      if (!now || move(now) === now) return
      setRefused(undefined)
      void cache.cancelQueries({ queryKey })
      cache.setQueryData(queryKey, move(now))
      save.mutate(move)
    },
    isSaving: save.isPending,
    refused,
    forget: () => setRefused(undefined),
  }
}
