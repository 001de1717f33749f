/**
 * The state of the home page: visible rows stay unchanged until the user does something or asks for new ones.
 */
import type { HomeAnswer } from '@dala/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type HomeRequest, homeKey, homeQuery, refsOf } from './home-data.ts'

export interface HomeState {
  /** Response with the home page's data that is on screen. */
  answer: HomeAnswer | undefined
  error: Error | null
  /** Number of new rows of work; undefined while nothing has changed. */
  newCount: number | undefined
  showNewRows: () => void
  /** Reloads the home page's data and shows them. */
  refreshHome: () => Promise<void>
  isRenewing: boolean
}

const hasSameRows = (one: HomeAnswer, other: HomeAnswer): boolean => {
  const [refs, otherRefs] = [refsOf(one.data.groups), refsOf(other.data.groups)]
  return [...refs].join() === [...otherRefs].join()
}

/** Counts rows and records that only the newer of two home responses has. */
function countNewRows(shownHome: HomeAnswer, latestAnswer: HomeAnswer): number {
  const { scope } = latestAnswer.data
  const addedTotal = (latestAnswer.data.totals[scope] ?? 0) - (shownHome.data.totals[scope] ?? 0)
  const shownRefs = refsOf(shownHome.data.groups)
  return Math.max(addedTotal, [...refsOf(latestAnswer.data.groups)].filter((ref) => !shownRefs.has(ref)).length)
}

export function useHome(request: HomeRequest): HomeState {
  const key = JSON.stringify(request)
  const client = useQueryClient()
  const { data: latestAnswer, error, refetch, isFetching } = useQuery(homeQuery(request))
  const [shownAnswer, setShown] = useState<{ key: string; answer: HomeAnswer }>()
  // Numbers and times of the home page are updated in place; rows that move wait for the user.
  const isAdopted =
    latestAnswer !== undefined &&
    (shownAnswer === undefined || shownAnswer.key !== key || hasSameRows(shownAnswer.answer, latestAnswer))
  if (isAdopted && shownAnswer?.answer !== latestAnswer) setShown({ key, answer: latestAnswer })
  const answer = isAdopted ? latestAnswer : shownAnswer?.key === key ? shownAnswer.answer : undefined
  return {
    answer,
    error: latestAnswer ? null : error,
    newCount: !isAdopted && latestAnswer && answer ? countNewRows(answer, latestAnswer) : undefined,
    showNewRows: () => latestAnswer && setShown({ key, answer: latestAnswer }),
    refreshHome: async () => {
      // An action on the home page changes the cached lists of other scopes as well: a restored row is new in
      // none of them.
      client.removeQueries({ queryKey: homeKey, type: 'inactive' })
      const { data } = await refetch()
      if (data) setShown({ key, answer: data })
    },
    isRenewing: isFetching,
  }
}
