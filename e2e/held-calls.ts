/** A slow link in a journey: calls that wait until they are let go. */
import type { Page } from '@playwright/test'

/** In: which calls, and of which method where only some wait. Out: lets them go, and all that follow. */
export async function holdCalls(page: Page, address: string, method?: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (method === undefined || route.request().method() === method) await promise
    await route.fallback()
  })
  return resolve
}
