/**
 * The scroll position of a thread: at the newest or first new message on opening, stable when messages are
 * added.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { likelyHeight, type ThreadRow } from './rows.ts'

/** Distance that still counts as the end, in pixels. */
const slack = 48
/** Earlier messages load this far before they become visible, in pixels. */
const ahead = 800
/** Space above the first row, in pixels: the button for more, or the note that there are no more. */
const headRoom = 56
const footRoom = 16

export interface PlaceOf {
  rows: readonly ThreadRow[]
  /** The window reaches the newest message. */
  isWhole: boolean
  /** The newest message is the user's own. */
  isOwn: boolean
  /** The id of the newest message, or its key while it is unsent. */
  newest: string | undefined
  loadOlder: (() => void) | undefined
  loadNewer: (() => void) | undefined
}

export function useThreadPlace({ rows, isWhole, isOwn, newest, loadOlder, loadNewer }: PlaceOf) {
  const box = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const [topDay, setTopDay] = useState<string>()
  const isPlaced = useRef(false)

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => likelyHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    paddingStart: headRoom,
    paddingEnd: footRoom,
    // Below the day, which sticks to the upper edge.
    scrollPaddingStart: headRoom,
    anchorTo: 'end',
    // Pages appended to an earlier window do not move the user.
    followOnAppend: isWhole,
    scrollEndThreshold: slack,
  })

  // A wrong estimate above the user's position shifts the scroll offset. That area begins below the button
  // for more, whose space may hold the last row of an earlier page.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _delta, { scrollOffset }) =>
    start < (scrollOffset ?? 0) + headRoom

  const look = () => {
    const element = box.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    setAtEnd(isWhole && scrollHeight - scrollTop - clientHeight <= slack)
    const top = virtual.getVirtualItemForOffset(scrollTop + 8)
    const row = top && rows[top.index]
    setTopDay(row?.kind === 'message' ? row.day : row?.kind === 'day' && scrollTop > headRoom ? row.day : undefined)
  }
  const lookLater = useEffectEvent(look)
  const handleScroll = () => {
    look()
    const element = box.current
    if (!element || !isPlaced.current) return
    if (element.scrollTop < ahead) loadOlder?.()
    if (element.scrollHeight - element.scrollTop - element.clientHeight < ahead) loadNewer?.()
  }

  // On opening: at the line above new messages, else at the end.
  useLayoutEffect(() => {
    if (isPlaced.current || rows.length === 0) return
    const unread = rows.findIndex(({ kind }) => kind === 'unread')
    if (unread >= 0) virtual.scrollToIndex(unread, { align: 'start' })
    else virtual.scrollToEnd()
    const frame = requestAnimationFrame(() => {
      isPlaced.current = true
      lookLater()
    })
    return () => cancelAnimationFrame(frame)
  }, [rows, virtual])

  // The thread scrolls to the user's own message from any position.
  const followOwn = useEffectEvent(() => {
    if (isPlaced.current && isOwn) virtual.scrollToEnd()
  })
  useLayoutEffect(() => followOwn(), [newest])
  useEffect(() => lookLater(), [rows.length, isWhole])

  // A growing composer or a rotated screen: a user at the end stays there.
  const stay = useEffectEvent(() => {
    if (atEnd && isPlaced.current) virtual.scrollToEnd()
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => stay())
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return {
    box,
    virtual,
    atEnd,
    topDay,
    onScroll: handleScroll,
    toEnd: () => virtual.scrollToEnd(),
    /** Scrolls a message into the middle and focuses it. Returns whether it is loaded. */
    show: (id: number | string): boolean => {
      const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === id)
      if (index < 0) return false
      virtual.scrollToIndex(index, { align: 'center' })
      return true
    },
  }
}
