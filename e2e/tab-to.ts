/** Keyboard navigation through a page. */
import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Tab until the element has the focus; fails when it cannot be reached. */
export async function tabToTarget(page: Page, target: Locator, direction: 'on' | 'back' = 'on'): Promise<void> {
  // Searching for an element by its role costs more than a press: it is repeated only when React has replaced it.
  let element = await target.elementHandle()
  for (let step = 0; step < 60; step++) {
    const state = await element?.evaluate((node) =>
      node.isConnected ? node === document.activeElement : ('replaced' as const),
    )
    if (state === true) return
    if (state === 'replaced') {
      element = await target.elementHandle()
      continue
    }
    await page.keyboard.press(direction === 'on' ? 'Tab' : 'Shift+Tab')
  }
  await expect(target).toBeFocused()
}
