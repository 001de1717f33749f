/** Keyboard navigation through a page. */
import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Tab until the element has the focus; fails when it cannot be reached. */
export async function tabTo(page: Page, target: Locator, direction: 'on' | 'back' = 'on'): Promise<void> {
  for (let step = 0; step < 60; step++) {
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) return
    await page.keyboard.press(direction === 'on' ? 'Tab' : 'Shift+Tab')
  }
  await expect(target).toBeFocused()
}
