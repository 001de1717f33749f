/**
 * Waits until the last change is painted: background work starts after it, so that a press is answered first.
 */

/** A hidden page is never painted, but pending work must continue. */
const patience = 200

export const painted = (): Promise<void> =>
  new Promise((done) => {
    // Callbacks of a frame run before its paint, a message after it.
    const { port1, port2 } = new MessageChannel()
    const goOn = () => {
      port1.close()
      done()
    }
    port1.onmessage = goOn
    requestAnimationFrame(() => port2.postMessage(undefined))
    setTimeout(goOn, document.hidden ? 0 : patience)
  })
