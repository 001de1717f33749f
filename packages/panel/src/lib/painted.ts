/** When what was just changed has been painted: work that nobody sees waits for it, so that a press is answered first. */

/** A page that went out of sight paints no more, and what waits must go on all the same. */
const patience = 200

export const painted = (): Promise<void> =>
  new Promise((done) => {
    // A frame's callbacks come before its paint, a message after it.
    const { port1, port2 } = new MessageChannel()
    const goOn = () => {
      port1.close()
      done()
    }
    port1.onmessage = goOn
    requestAnimationFrame(() => port2.postMessage(undefined))
    setTimeout(goOn, document.hidden ? 0 : patience)
  })
