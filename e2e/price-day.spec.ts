/** A day of prices by keys alone in Russian. */
import { test } from './fixtures.ts'
import { prepareDay, walkDay } from './price-day.ts'

test('a day of prices is entered, carried, questioned, confirmed and published by keyboard in ru', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const day = await prepareDay({ newRecord, colleague }, 1950)
  await login('admin', { language: 'ru' })
  await walkDay(page, 'ru', day)
  await day.retire()
})
