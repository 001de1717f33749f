/**
 * The scroll position of a thread: at the newest or first new message on opening, stable when messages are
 * added.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { estimateRowHeight, type ThreadRow } from './rows.ts'

/** Pixels from the end of the thread that still count as the end. */
const endTolerance = 48
/** Pixels before earlier messages become visible at which they are loaded. */
const loadDistance = 800
/**
 * Space above the first row of the thread, in pixels: the button for earlier messages, or the note that there
 * are none.
 */
const paddingTop = 56
const footHeight = 16

export interface ThreadScrollOptions {
  rows: readonly ThreadRow[]
  /** Whether the loaded messages reach the newest message of the room. */
  isWhole: boolean
  /** Whether the newest message of the thread is the user's own. */
  isOwn: boolean
  /** Id of the newest message in the thread, or its key while it is unsent. */
  newestMessage: string | undefined
  loadOlder: (() => void) | undefined
  loadNewer: (() => void) | undefined
}

export function useThreadPlace({
  rows,
  isWhole,
  isOwn,
  newestMessage: newest,
  loadOlder,
  loadNewer,
}: ThreadScrollOptions) {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const [topDay, setTopDay] = useState<string>()
  const isPlaced = useRef(false)

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => estimateRowHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    paddingStart: paddingTop,
    paddingEnd: footHeight,
    // A message that is scrolled to starts below the day, which sticks to the upper edge of the thread.
    scrollPaddingStart: paddingTop,
    anchorTo: 'end',
    // In a window of older messages, an appended page does not scroll the thread to its end.
    followOnAppend: isWhole,
    scrollEndThreshold: endTolerance,
  })

  // A wrong height estimate of a message above the visible ones shifts the scroll offset by the difference.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _delta, { scrollOffset }) =>
    start < (scrollOffset ?? 0) + paddingTop

  const updatePosition = () => {
    const element = box.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    setIsAtEnd(isWhole && scrollHeight - scrollTop - clientHeight <= endTolerance)
    const top = virtualizer.getVirtualItemForOffset(scrollTop + 8)
    const row = top && rows[top.index]
    setTopDay(row?.kind === 'message' ? row.day : row?.kind === 'day' && scrollTop > paddingTop ? row.day : undefined)
  }
  const handleUpdate = useEffectEvent(updatePosition)
  const handleScroll = () => {
    updatePosition()
    const element = box.current
    if (!element || !isPlaced.current) return
    if (element.scrollTop < loadDistance) loadOlder?.()
    if (element.scrollHeight - element.scrollTop - element.clientHeight < loadDistance) loadNewer?.()
  }

  // An opened thread starts at the line above new messages, else at the end.
  useLayoutEffect(() => {
    if (isPlaced.current || rows.length === 0) return
    const unreadIndex = rows.findIndex(({ kind }) => kind === 'unread')
    if (unreadIndex >= 0) virtualizer.scrollToIndex(unreadIndex, { align: 'start' })
    else virtualizer.scrollToEnd()
    const frame = requestAnimationFrame(() => {
      isPlaced.current = true
      handleUpdate()
    })
    return () => cancelAnimationFrame(frame)
  }, [rows, virtualizer])

  // The thread scrolls to the user's own message from any position.
  const scrollToOwnMessage = useEffectEvent(() => {
    if (isPlaced.current && isOwn) virtualizer.scrollToEnd()
  })
  useLayoutEffect(() => scrollToOwnMessage(), [newest])
  useEffect(() => handleUpdate(), [rows.length, isWhole])

  // After the composer grew or the screen was rotated, a user at the end of the thread stays there.
  const keepThreadAtEnd = useEffectEvent(() => {
    if (isAtEnd && isPlaced.current) virtualizer.scrollToEnd()
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => keepThreadAtEnd())
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return {
    box,
    virtualizer,
    isAtEnd,
    topDay,
    onScroll: handleScroll,
    scrollToEnd: () => virtualizer.scrollToEnd(),
    /**
     * Scrolls a message into the middle of the thread and focuses it. Returns whether the message is loaded.
     */
    show: (id: number | string): boolean => {
      const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === id)
      if (index < 0) return false
      virtualizer.scrollToIndex(index, { align: 'center' })
      return true
    },
  }
}
