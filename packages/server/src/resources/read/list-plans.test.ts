/**
 * Every order that a list offers uses an index (decision 31);
 * `npm run verify` checks the same with 100,000 rows.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { openBareDatabase } from '../../testing/databases.ts'
import { fillLists, readListPlans } from '../../testing/list-plans.ts'

let database: Database
beforeAll(async () => {
  database = await openBareDatabase(`plans_${process.env.VITEST_POOL_ID ?? '0'}`)
  await migrateDatabase(database)
  await fillLists(database, 3_000)
}, 120_000)
afterAll(() => database.close())

it('reads a page of a list through an index, in any order, in any language and by any first filter', async () => {
  const { plans, findings } = await readListPlans(database, { isSmall: true })
  expect(findings).toEqual([])
  expect(plans).toBeGreaterThan(300)
}, 60_000)

it("reports the missing index of a list's order", async () => {
  await database.script('drop index news_texts_locale_title_sort_idx, news_texts_title_sort_idx, users_email_sort_idx')
  const { findings } = await readListPlans(database, { onlyColumns: ['news', 'users'], isSmall: true })
  const orders = findings.map(({ query }) => query.replace(/\?.*&sort=/, ' by '))
  expect(new Set(orders)).toEqual(
    new Set(['news by title', 'news by title:desc', 'users by email', 'users by email:desc']),
  )
})
