/** Simulates a slow link: calls wait until the test releases them. */
import type { Page } from '@playwright/test'

/**
 * Delays calls to an address.
 *
 * @param page - The page that sends them.
 * @param address - Pattern of the address.
 * @param method - Holds only calls of this method.
 * @returns A function that releases the calls and all later ones.
 */
export async function delayCalls(page: Page, address: string, method?: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (method === undefined || route.request().method() === method) await promise
    await route.fallback()
  })
  return resolve
}
