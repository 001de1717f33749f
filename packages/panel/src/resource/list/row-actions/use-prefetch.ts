/** Prefetches a record when its name is hovered, and the next page while the browser is idle. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { pageQuery } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

/** Milliseconds of a hover before a record is prefetched; a shorter hover is only a passing pointer. */
const hoverDelay = 80
/** Milliseconds before the next page is prefetched: the visible page, its counts and pictures come first. */
const idleDelay = 1500

/** A failed prefetch is repeated when the data is needed. */
const swallowError = () => undefined

export function usePrefetch(root: HTMLElement, list: ResourceList, total: number): void {
  const cache = useQueryClient()
  const { page, size } = list.paging
  const readRecord = useEffectEvent((id: number) => {
    void cache.query(resourceQueries(list.screen.resource).one(id, list.query.language)).catch(swallowError)
  })
  useEffect(() => {
    const end = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const handlePointer = ({ target }: Event) => {
      clearTimeout(timer)
      const link = target instanceof Element ? target.closest('[data-name]') : null
      const id = Number(link?.closest<HTMLElement>('[data-row]')?.dataset['row'])
      if (link && id > 0) timer = setTimeout(() => readRecord(id), hoverDelay)
    }
    root.addEventListener('pointerover', handlePointer, { signal: end.signal })
    root.addEventListener('focusin', handlePointer, { signal: end.signal })
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [root])

  const hasNext = page * size < total
  const prefetchNextPage = useEffectEvent(() => void cache.query(pageQuery(list, page + 1)).catch(swallowError))
  const key = JSON.stringify(pageQuery(list).queryKey)
  useEffect(() => {
    if (!hasNext) return
    const timer = setTimeout(() => prefetchNextPage(), idleDelay)
    return () => clearTimeout(timer)
  }, [hasNext, key])
}
