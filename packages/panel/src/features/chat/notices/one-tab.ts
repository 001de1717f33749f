/** Of several tabs one rings: the one that was touched last, and when it goes, another one. */

const name = 'dala/ring'

export interface Turn {
  /** Asks for the turn. Out: a function that gives it back. */
  takeTurn: () => () => void
  isRinging: () => boolean
}

/** The turn of one tab. */
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
    // Without locks every tab rings: better twice than not at all.
    if (!('locks' in navigator)) {
      void hold()
      return giveBack
    }
    /** Out: whether it was had, once it is over. */
    const request = async (options: LockOptions): Promise<boolean> => {
      let mine: symbol | undefined
      const begin = () => {
        const held = hold()
        mine = holder
        return held
      }
      // Given up while waiting, or taken by a tab that was touched since.
      await navigator.locks.request(name, options, begin).catch(() => undefined)
      if (holder === mine) holder = undefined
      return mine !== undefined
    }
    const waitForTurn = async (): Promise<void> => {
      while ((await request({ signal })) && !signal.aborted);
    }
    // What is read here must not ring in a tab behind it, and one that was never touched has no sound.
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
