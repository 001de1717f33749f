/** Detects when a page is idle: no request, nothing busy, no motion. */
import { expect, type Page, type Request } from '@playwright/test'

const requestsOf = new WeakMap<Page, Set<Request>>()

/** Tracks the requests of a page, from its first address on; once for a page that serves several tests. */
export function watchRequests(page: Page): void {
  if (requestsOf.has(page)) return
  const runningRequests = new Set<Request>()
  requestsOf.set(page, runningRequests)
  page.on('request', (request) => {
    // Navigating cancels the requests of the previous document.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) runningRequests.clear()
    runningRequests.add(request)
  })
  page.on('requestfinished', (request) => runningRequests.delete(request))
  page.on('requestfailed', (request) => runningRequests.delete(request))
}

/**
 * Waits until the page is idle: answers have arrived and are drawn, and no fade is running. `networkidle`
 * would wait half a second more each time, and does not notice a change of address without a load.
 */
export async function expectSettledPage(page: Page): Promise<void> {
  const runningRequests = requestsOf.get(page)
  if (!runningRequests)
    throw new Error('The requests of this page are not watched: only those of the page fixture are.')
  const isBusy = async () => runningRequests.size > 0 || (await isMoving(page)) || runningRequests.size > 0
  await expect.poll(isBusy, { message: 'the page is still busy', intervals: [20] }).toBe(false)
}

/**
 * Waits two frames for drawing, then for the end of fades: colours in transition would falsify a contrast
 * check.
 */
export async function waitForMotionEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const endingAnimations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(endingAnimations.map(({ finished }) => finished))
  })
}

/** Whether an element of the page still fades, or a list or a button is busy. */
async function isMoving(page: Page): Promise<boolean> {
  await waitForMotionEnd(page)
  return (await page.locator('[aria-busy="true"]').count()) > 0
}
