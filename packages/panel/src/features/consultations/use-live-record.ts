/** Updates an open consultation on changes of colleagues and of the customer; a draft stays unchanged. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChat, onChanged } from '../../api/live.ts'

export function useLiveRecord(id: number): void {
  const cache = useQueryClient()
  useEffect(() => {
    const invalidateRecord = () => void cache.invalidateQueries({ queryKey: ['resource', 'consultations', 'one', id] })
    const unsubscribers = [
      onChat('consultation:changed', (payload) => payload.id === id && invalidateRecord()),
      // Events of the consultation that were missed during a lost connection are unknown.
      onChanged((update) => update === 'all' && invalidateRecord()),
    ]
    return () => unsubscribers.forEach((unsubscribe) => unsubscribe())
  }, [cache, id])
}
