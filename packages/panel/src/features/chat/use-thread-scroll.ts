/** Where the thread stands: at the newest on opening, in place when earlier messages come, and calm when new ones do. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Counts as the end, in pixels. */
const slack = 48

interface Measured {
  first: number | string | undefined
  last: number | string | undefined
  height: number
  top: number
  atEnd: boolean
}

/** In: the first and the last message on screen, how many there are, and whether the last one is the reader's own. */
export function useThreadScroll({
  first,
  last,
  count,
  isOwn,
}: {
  first: number | string | undefined
  last: number | string | undefined
  count: number
  isOwn: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<Measured | null>(null)
  const seen = useRef(0)
  const [atEnd, setAtEnd] = useState(true)
  const [fresh, setFresh] = useState(0)

  const measure = () => {
    const element = box.current
    if (!element) return
    const { scrollHeight, scrollTop, clientHeight } = element
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= slack
    before.current = { first, last, height: scrollHeight, top: scrollTop, atEnd: isAtEnd }
    setAtEnd(isAtEnd)
    if (isAtEnd) setFresh(0)
  }

  useLayoutEffect(() => {
    const element = box.current
    if (!element || count === 0) return
    const known = before.current
    const added = count - seen.current
    seen.current = count
    if (!known) {
      const unread = element.querySelector('[data-unread]')
      const offset = unread && unread.getBoundingClientRect().top - element.getBoundingClientRect().top
      // Under the day, which sticks to the upper edge.
      element.scrollTop = offset === null ? element.scrollHeight : element.scrollTop + offset - 56
    } else if (known.first !== first && known.last === last) {
      element.scrollTop = known.top + element.scrollHeight - known.height
    } else if (known.last !== last) {
      if (known.atEnd || isOwn) element.scrollTop = element.scrollHeight
      else setFresh((waiting) => waiting + Math.max(1, added))
    } else if (known.atEnd) element.scrollTop = element.scrollHeight
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= slack
    before.current = { first, last, height: element.scrollHeight, top: element.scrollTop, atEnd: isAtEnd }
    setAtEnd(isAtEnd)
  }, [first, last, count, isOwn])

  // Pictures, failures and a growing composer change the heights: whoever stood at the end stays there.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (before.current?.atEnd) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])

  return {
    box,
    atEnd,
    /** How many came while the reader was further up. */
    fresh,
    onScroll: measure,
    toEnd: () => {
      const element = box.current
      if (element) element.scrollTop = element.scrollHeight
      setFresh(0)
    },
  }
}
