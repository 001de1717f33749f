/** Opens addresses of the panel without loading it again, as a link in it would. */
import type { Page } from '@playwright/test'

/**
 * Opens an address below `/app/`: within the open panel, which takes a third of a load's time, or by a load
 * when the browser shows another page.
 */
export async function openInsidePanel(page: Page, address: string): Promise<void> {
  if (!URL.canParse(page.url()) || !new URL(page.url()).pathname.startsWith('/app/')) {
    await page.goto(`/app/${address}`)
    return
  }
  await page.evaluate((path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/app/${address}`)
}
