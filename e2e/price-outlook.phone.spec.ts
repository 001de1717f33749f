/** The chart, the changes, the map and the bulletin of prices on a phone. */
import { expect, expectAccessible, test } from './fixtures.ts'

// The test runs in Karakalpak, whose texts are the longest.
test('fits the views of the prices on a phone in Karakalpak', async ({ page, login }) => {
  await login('admin', { language: 'kaa' })
  for (const view of ['chart', 'changes', 'map', 'bulletin']) {
    await page.goto(`/app/price-list/${view}`)
    await expect(page.getByRole('main').getByRole('table').first()).toBeVisible()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([view, overflow]).toEqual([view, 0])
    // The buttons beside a title leave enough width for it.
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.width, view).toBeGreaterThan(100)
    await expectAccessible(page)
  }
  await page.goto('/app/price-list')
  await page.getByRole('main').getByRole('navigation').getByRole('link').nth(2).tap()
  await expect(page).toHaveURL(/price-list\/changes/)
})
