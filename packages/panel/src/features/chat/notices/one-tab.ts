/** Of several tabs one rings: it holds a lock for as long as it lives, and the next one takes it over. */

let holds = false

/** Asks for the turn. Out: a function that gives it back. */
export function takeTurn(): () => void {
  // Without locks every tab rings: better twice than not at all.
  if (!('locks' in navigator)) {
    holds = true
    return () => (holds = false)
  }
  const abort = new AbortController()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  navigator.locks
    .request('dala/ring', { signal: abort.signal }, () => {
      holds = true
      return held
    })
    // Given up while waiting.
    .catch(() => undefined)
  return () => {
    holds = false
    abort.abort()
    release()
  }
}

export const isRinging = (): boolean => holds
