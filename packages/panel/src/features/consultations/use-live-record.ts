/** Updates an open consultation on changes of colleagues and of the customer; a draft stays unchanged. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChat, onChanged } from '../../api/live.ts'

export function useLiveRecord(id: number): void {
  const cache = useQueryClient()
  useEffect(() => {
    const askAgain = () => void cache.invalidateQueries({ queryKey: ['resource', 'consultations', 'one', id] })
    const stops = [
      onChat('consultation:changed', (news) => news.id === id && askAgain()),
      // After a lost connection the missed events are unknown.
      onChanged((news) => news === 'all' && askAgain()),
    ]
    return () => stops.forEach((stop) => stop())
  }, [cache, id])
}
