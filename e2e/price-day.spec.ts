/** A day of prices with the keyboard alone in Russian. */
import { expect, test } from './fixtures.ts'
import { prepareDay, walkDay } from './price-day.ts'
import { expectSettledPage } from './settled.ts'

test('enters, carries over, questions, confirms and publishes a day of prices with the keyboard in Russian', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const day = await prepareDay({ newRecord, colleague }, 1950)
  await login('admin', { language: 'ru' })
  await walkDay(page, 'ru', day)
  await day.retireDay()
})

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
] as const) {
  test(`fits the table of a day into a window of ${width} px and cuts no figure`, async ({
    page,
    login,
    newRecord,
    colleague,
  }) => {
    const day = await prepareDay({ newRecord, colleague }, width === 1440 ? 1930 : 1940)
    await page.setViewportSize({ width, height })
    await login('admin', { language: 'ru' })
    await page.goto(day.address)
    await page.locator('[data-cell="0:0"] input').fill('204000-216000')
    await page.keyboard.press('Enter')
    await page.keyboard.type('204000')
    await page.keyboard.press('Enter')
    const cells = page.locator('td[data-kind="confirm"]')
    await expect(cells).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expectSettledPage(page)
    await expect(cells.nth(0)).toContainText(/204\s000/)
    const cutTexts = await cells
      .locator('span')
      .evaluateAll((spans) =>
        spans
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
          .map((cutSpan) => cutSpan.textContent),
      )
    expect(cutTexts).toEqual([])
    // Names of districts above the price table take two lines; only longer names are cut, with a tooltip.
    const districtHeads = page.getByRole('columnheader').locator('[data-name]')
    const hiddenColumns = await districtHeads.evaluateAll((names) =>
      names.flatMap((name) =>
        name.scrollWidth > name.clientWidth ||
        (name.scrollHeight > name.clientHeight && name.closest('[data-tip]') === null)
          ? [name.textContent]
          : [],
      ),
    )
    expect(hiddenColumns).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
    expect(overflow).toBeLessThanOrEqual(0)
    await day.retireDay()
  })
}
