/** Measures where a list's first record begins, so that list headers leave the page to the records. */
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { screens } from './routes.ts'
import { expectSettled } from './settled.ts'
import { t } from './messages.ts'

/** Maximum top of the first record in pixels, in a window of 1440 × 900 and on a phone of 390 × 844. */
const line = 300

/** Screens of the model without a list of their own: one page, a desk, and reports, which open on figures. */
const withoutList = new Set(['about', 'chats', 'statistics'])

/** Lists at their own addresses, and the one that has a second address (requirements §2). */
const lists = [
  ...screens.filter(({ path, resource }) => !resource.single && !withoutList.has(path)).map(({ path }) => path),
  'pages/pages',
]

/** Opens every list and fails with those whose first record begins too far down. */
export async function expectRecordsAbove(page: Page, further: readonly string[]): Promise<void> {
  const low: Record<string, number> = {}
  let filled = 0
  for (const address of [...lists, ...further]) {
    await page.goto(`/app/${address}`)
    const main = page.getByRole('main')
    const row = main.locator('[data-row]').first()
    await expect(row.or(main.getByText(t('empty.noData'), { exact: true })).first(), address).toBeVisible()
    await expectSettled(page)
    if ((await row.count()) === 0) continue
    filled += 1
    const top = await row.evaluate((element) => element.getBoundingClientRect().top)
    if (top >= line) low[address] = Math.round(top)
  }
  expect(low, `lists whose first record begins below ${line} px`).toEqual({})
  // Empty lists would prove nothing.
  expect(filled).toBeGreaterThan(lists.length / 2)
}
