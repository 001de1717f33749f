/**
 * Elects one tab to play the notification sound: the most recently focused one, or another when it closes.
 */

const name = 'dala/ring'

export interface RingElection {
  /** Takes part in the election of the tab that rings. Returns a function that resigns. */
  joinElection: () => () => void
  isRinging: () => boolean
}

/** Election of the ringing tab, as one tab sees it. */
export function createRingElection(): RingElection {
  let lockToken: symbol | undefined
  const joinElection = (): (() => void) => {
    const end = new AbortController()
    const { signal } = end
    let release: () => void = () => undefined
    const holdLock = () => {
      lockToken = Symbol(name)
      return new Promise<void>((resolve) => (release = resolve))
    }
    const releaseLock = () => {
      end.abort()
      release()
      lockToken = undefined
    }
    // Without the Web Locks API every tab rings: better twice than not at all.
    if (!('locks' in navigator)) {
      void holdLock()
      return releaseLock
    }
    /** Resolves when the lock is released, with whether this tab had it. */
    const requestLock = async (options: LockOptions): Promise<boolean> => {
      let ownToken: symbol | undefined
      const onGranted = () => {
        const releasedLock = holdLock()
        ownToken = lockToken
        return releasedLock
      }
      // The request for the lock was aborted, or the lock was stolen by a tab that was focused later.
      await navigator.locks.request(name, options, onGranted).catch(() => undefined)
      if (lockToken === ownToken) lockToken = undefined
      return ownToken !== undefined
    }
    const waitForLock = async (): Promise<void> => {
      while ((await requestLock({ signal })) && !signal.aborted);
    }
    // A visible tab takes the lock for ringing, so that its messages do not ring in a hidden tab.
    const takeOverLock = () => {
      if (lockToken === undefined && !signal.aborted) void requestLock({ steal: true })
    }
    for (const eventName of ['focus', 'pointerdown', 'keydown'])
      window.addEventListener(eventName, takeOverLock, { signal })
    void waitForLock()
    if (document.hasFocus()) takeOverLock()
    return releaseLock
  }
  return { joinElection, isRinging: () => lockToken !== undefined }
}

export const { joinElection, isRinging } = createRingElection()
