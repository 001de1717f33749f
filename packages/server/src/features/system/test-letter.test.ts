import { expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()

it('refuses a test letter without a mail server, with a sentence about the setting', async () => {
  const { status, body } = await resourceApp.ask('POST', '/system/test-letter', undefined, 'owner')
  expect([status, body]).toMatchObject([409, { error: { code: 'mail.no-server' } }])
  expect(await resourceApp.database.query(sql`select id from mails`)).toEqual([])
})
