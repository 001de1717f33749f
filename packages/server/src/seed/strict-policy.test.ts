import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { openTestDatabase } from '../testing/databases.ts'
import { seed } from './index.ts'

const strictSettings = { seed: 'none', ownerEmail: 'owner@example.org', passwordPolicy: 'strict' } as const

let database: Database
beforeEach(async () => {
  database = (await openTestDatabase()).database
})

test('accepts an owner’s password of the maximum length of the strict policy', async () => {
  const report = await seed(database, { ...strictSettings, ownerPassword: 'melons grow in the south' })
  expect(report).toMatchObject({ owner: { email: 'owner@example.org', password: undefined } })
})

test("generates an owner's password long enough for the strict policy", async () => {
  const { owner } = await seed(database, strictSettings)
  expect(owner?.password).toHaveLength(16)
})
