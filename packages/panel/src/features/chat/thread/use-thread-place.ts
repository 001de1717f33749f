/** Where the thread stands: at the newest or at what is new on opening, in place when others come before, calm when new ones come. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { likelyHeight, type ThreadRow } from './rows.ts'

/** Counts as the end, in pixels. */
const slack = 48
/** Earlier messages are asked for this far before their place comes into sight. */
const ahead = 800
/** Above the first row there is the button for more, or the word that there is no more. */
const headRoom = 56
const footRoom = 16

export interface PlaceOf {
  rows: readonly ThreadRow[]
  /** The window reaches the newest message. */
  isWhole: boolean
  /** The newest message is the reader's own. */
  isOwn: boolean
  /** The revision of the newest message, or its key while it is on its way. */
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
    // Under the day, which stays at the upper edge.
    scrollPaddingStart: headRoom,
    anchorTo: 'end',
    // Later pages of an earlier place do not carry the reader away.
    followOnAppend: isWhole,
    scrollEndThreshold: slack,
  })

  // What turns out higher or lower than was thought moves what is above the reader's place: that begins below the button
  // for more, in whose room the last one of an earlier page may stand.
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

  // Opening: at the line above what is new, else at the end.
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

  // One's own message is gone to, wherever one was.
  const followOwn = useEffectEvent(() => {
    if (isPlaced.current && isOwn) virtual.scrollToEnd()
  })
  useLayoutEffect(() => followOwn(), [newest])
  useEffect(() => lookLater(), [rows.length, isWhole])

  // A growing composer, a window that turns: whoever stood at the end stays there.
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
    /** Brings a message into the middle and gives it the focus. Out: whether it is there. */
    show: (id: number | string): boolean => {
      const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === id)
      if (index < 0) return false
      virtual.scrollToIndex(index, { align: 'center' })
      return true
    },
  }
}
