/**
 * Renders content that needs the user: a skeleton until the user is loaded, and a retry button after a
 * failure.
 */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type CurrentUser, meQuery } from '../api/session.ts'
import { Sheet } from '../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../ui/feedback/skeleton.tsx'
import { LoadedPart } from './part.tsx'

export function UserBoundary({ children }: { children: (me: CurrentUser) => ReactNode }) {
  const query = useQuery(meQuery)
  if (query.data) return children(query.data)
  if (query.error)
    return (
      <Sheet hasPadding>
        <LoadedPart query={query}>{children}</LoadedPart>
      </Sheet>
    )
  return (
    <DelayedContent>
      <Skeleton className="h-64 w-full rounded-3" />
    </DelayedContent>
  )
}
