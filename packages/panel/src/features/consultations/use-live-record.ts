/** A consultation that is open on a page follows what colleagues and the one who asked do to it; an answer being written stays. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hearChat, onChanged } from '../../api/live.ts'

export function useLiveRecord(id: number): void {
  const cache = useQueryClient()
  useEffect(() => {
    const askAgain = () => void cache.invalidateQueries({ queryKey: ['resource', 'consultations', 'one', id] })
    const stops = [
      hearChat('consultation:changed', (news) => news.id === id && askAgain()),
      // After a time without connection nobody knows what was missed.
      onChanged((news) => news === 'all' && askAgain()),
    ]
    return () => stops.forEach((stop) => stop())
  }, [cache, id])
}
