/** A day of prices on a phone with a keyboard, in Karakalpak. */
import { expect, test } from './fixtures.ts'
import { prepareDay, walkDay } from './price-day.ts'

test('enters, carries over, questions, confirms and publishes a day of prices on a phone in Karakalpak', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const day = await prepareDay({ newRecord, colleague }, 1960)
  await login('admin', { language: 'kaa' })
  await walkDay(page, 'kaa', day)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  await day.retireDay()
})
