/** When a page has come to rest: nothing is asked for, nothing is busy, nothing moves. */
import { expect, type Page, type Request } from '@playwright/test'

const requestsOf = new WeakMap<Page, Set<Request>>()

/** Keeps count of what a page asks for, from its first address on. */
export function watchRequests(page: Page): void {
  const running = new Set<Request>()
  requestsOf.set(page, running)
  page.on('request', (request) => {
    // What the document before this one asked for is given up with it.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) running.clear()
    running.add(request)
  })
  page.on('requestfinished', (request) => running.delete(request))
  page.on('requestfailed', (request) => running.delete(request))
}

/**
 * Whatever has been set going has come to its end: what was asked for is there and drawn, nothing fades in or out.
 * `networkidle` would wait half a second more each time, and not at all after a change of address without a load.
 */
export async function expectSettled(page: Page): Promise<void> {
  const running = requestsOf.get(page)
  if (!running) throw new Error('The requests of this page are not watched: only those of the page fixture are.')
  const isAtWork = async () => running.size > 0 || (await isMoving(page)) || running.size > 0
  await expect.poll(isAtWork, { message: 'the page is still at work', intervals: [20] }).toBe(false)
}

/** Two frames draw what has come; then fading ends: colours on their way from one to another are neither. */
export async function endOfMotion(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** What a list or a button still waits for shows. */
async function isMoving(page: Page): Promise<boolean> {
  await endOfMotion(page)
  return (await page.locator('[aria-busy="true"]').count()) > 0
}
