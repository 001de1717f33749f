/** When what was just changed has been painted: work that nobody sees waits for it, so that a press is answered first. */

// A frame's callbacks come before its paint, a message after it; a page that is not looked at has no frames.
export const painted = (): Promise<void> =>
  new Promise((done) => {
    if (document.hidden) done()
    else
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done()
        port2.postMessage(undefined)
      })
  })
