/**
 * Contract §5, §6 and §8: any list query returns the rows
 * that a plain evaluation over the same records finds.
 */
import { expect, it } from 'vitest'
import { compareRandomReads } from '../../testing/random-reads.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
const runs = 150

it('returns for random list queries the records that a plain evaluation finds', async () => {
  const { queries, findingCount, pagedCount } = await compareRandomReads(
    resourceApp.database,
    (url) => resourceApp.ask('GET', url),
    runs,
  )
  expect(queries).toBe(runs)
  // The comparison proves nothing when hardly any query finds rows.
  expect(findingCount).toBeGreaterThan(runs / 4)
  expect(pagedCount).toBeGreaterThan(0)
}, 60_000)
