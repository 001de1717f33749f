/**
 * Waits until the last change is painted: background work starts after it, so that a press is answered first.
 */

/** Maximum milliseconds to wait: a hidden page is never painted, but pending work must continue. */
const maxWait = 200

export const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    // Callbacks of an animation frame run before its paint, a message runs after it.
    const { port1, port2 } = new MessageChannel()
    const resolvePaint = () => {
      port1.close()
      resolve()
    }
    port1.onmessage = resolvePaint
    requestAnimationFrame(() => port2.postMessage(undefined))
    setTimeout(resolvePaint, document.hidden ? 0 : maxWait)
  })
