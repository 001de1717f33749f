/**
 * Elects one tab to play the notification sound: the most recently focused one, or another when it closes.
 */

const name = 'dala/ring'

export interface Turn {
  /** Takes part in the election. Returns a function that resigns. */
  takeTurn: () => () => void
  isRinging: () => boolean
}

/** The election as one tab sees it. */
export function newTurn(): Turn {
  let holder: symbol | undefined
  const takeTurn = (): (() => void) => {
    const end = new AbortController()
    const { signal } = end
    let release: () => void = () => undefined
    const hold = () => {
      holder = Symbol(name)
      return new Promise<void>((resolve) => (release = resolve))
    }
    const giveBack = () => {
      end.abort()
      release()
      holder = undefined
    }
    // Without the Web Locks API every tab rings: better twice than not at all.
    if (!('locks' in navigator)) {
      void hold()
      return giveBack
    }
    /** Resolves when the lock is released, with whether this tab had it. */
    const request = async (options: LockOptions): Promise<boolean> => {
      let mine: symbol | undefined
      const begin = () => {
        const held = hold()
        mine = holder
        return held
      }
      // Aborted while waiting, or stolen by a tab that was focused since.
      await navigator.locks.request(name, options, begin).catch(() => undefined)
      if (holder === mine) holder = undefined
      return mine !== undefined
    }
    const waitForTurn = async (): Promise<void> => {
      while ((await request({ signal })) && !signal.aborted);
    }
    // A visible message must not ring in a tab behind this one; a tab that was never touched cannot play
    // sound.
    const take = () => {
      if (holder === undefined && !signal.aborted) void request({ steal: true })
    }
    for (const touch of ['focus', 'pointerdown', 'keydown']) window.addEventListener(touch, take, { signal })
    void waitForTurn()
    if (document.hasFocus()) take()
    return giveBack
  }
  return { takeTurn, isRinging: () => holder !== undefined }
}

export const { takeTurn, isRinging } = newTurn()
