/** Of several tabs one rings: the one that was touched last, and when it goes, another one. */

const name = 'dala/ring'
let holds = false

/** Asks for the turn. Out: a function that gives it back. */
export function takeTurn(): () => void {
  // Without locks every tab rings: better twice than not at all.
  if (!('locks' in navigator)) {
    holds = true
    return () => (holds = false)
  }
  const end = new AbortController()
  const { signal } = end
  let release: () => void = () => undefined
  const hold = () => {
    holds = true
    return new Promise<void>((resolve) => (release = resolve))
  }
  const hasLost = () => {
    holds = false
  }
  const waitForTurn = (): void => {
    let hadIt = false
    void navigator.locks
      .request(name, { signal }, () => {
        hadIt = true
        return hold()
      })
      // Given up while waiting, or taken by a tab that was touched since.
      .catch(() => undefined)
      .then(hasLost)
      .then(() => !signal.aborted && hadIt && waitForTurn())
  }
  // What is read here must not ring in a tab behind it, and one that was never touched has no sound.
  const take = () => {
    if (holds || signal.aborted) return
    void navigator.locks
      .request(name, { steal: true }, hold)
      .catch(() => undefined)
      .then(hasLost)
  }
  for (const touch of ['focus', 'pointerdown', 'keydown']) window.addEventListener(touch, take, { signal })
  waitForTurn()
  if (document.hasFocus()) take()
  return () => {
    end.abort()
    release()
    holds = false
  }
}

export const isRinging = (): boolean => holds
