/** Moves the focus to the beginning of the page after navigation, even when the frame changes too. */
import { useLocation, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

interface ShownPage {
  pathname: string
  /** The frame around the pages learns of a new address before another frame replaces it. */
  main: HTMLElement | null
}

/** The last page of each router: signing in and out replace the frame that could have stored it. */
const lastShownPages = new WeakMap<object, ShownPage>()

/**
 * Moves the focus after navigation; the first page and changes of a list's filters leave it where it is.
 *
 * @returns The ref of the main landmark.
 */
export function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const router = useRouter()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    const formerPage = lastShownPages.get(router)
    lastShownPages.set(router, { pathname, main: main.current })
    if (formerPage && (formerPage.pathname !== pathname || formerPage.main !== main.current))
      main.current?.focus({ preventScroll: true })
  }, [router, pathname])
  return main
}
