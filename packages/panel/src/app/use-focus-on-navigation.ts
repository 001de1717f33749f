/** Where the focus is after going to another page: at its beginning, also where the page came with a frame of its own. */
import { useLocation, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

interface Shown {
  pathname: string
  /** A frame hears of the new address before it makes room for another one. */
  main: HTMLElement | null
}

/** What each router showed last: signing in and out change the frame that could have remembered it. */
const shown = new WeakMap<object, Shown>()

/** Out: for the main landmark. The first page and changes of a list's filters leave the focus where it is. */
export function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const router = useRouter()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = shown.get(router)
    shown.set(router, { pathname, main: main.current })
    if (before && (before.pathname !== pathname || before.main !== main.current))
      main.current?.focus({ preventScroll: true })
  }, [router, pathname])
  return main
}
