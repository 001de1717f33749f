import { sql } from '../../db/sql.ts'
import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { bearer, openAccountApp, repeatPassword } from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildRole, buildUser } from '../../testing/factories.ts'
import { codeInEmail } from '../../testing/parse-email.ts'

test('stores no password, token or code in audit lines, revisions and exports', async () => {
  const accountApp = await openAccountApp()
  const { app, database, post } = accountApp
  await buildUser(database, 'owner', { username: 'chief', email: 'chief@example.org' })
  await buildRole(database, 'admin')
  const role = await buildRole(database, 'authenticated')
  const chiefToken = await tokenOf(app, 'chief')
  const secrets: string[] = [chiefToken]
  const secret = (text: string) => {
    secrets.push(text)
    return text
  }
  const ask = async (method: 'POST' | 'PUT', url: string, payload: object, token = chiefToken) => {
    const answer = await app.inject({ method, url: `/api${url}`, payload, headers: bearer(token) })
    return { status: answer.statusCode, body: answer.json<Record<string, string> & { recovery?: string[] }>() }
  }

  const account = { username: 'canary', email: 'canary@example.org', password: secret('Canary-first-1') }
  expect((await post('local/register', { ...account, ...repeatPassword(account.password) })).status).toBe(200)
  await accountApp.signIn('canary', secret('Canary-wrong-2'))
  await accountApp.signIn(secret('Canary-typed-3'), 'x'.repeat(9))
  const signedIn = await accountApp.signIn('canary', account.password)
  expect(signedIn.status).toBe(200)
  const token = secret(signedIn.body.jwt ?? '')
  await post('forgot-password', { email: 'canary@example.org' })
  const code = secret((await accountApp.letters()).map(codeInEmail).find((foundCode) => foundCode !== '') ?? '')
  expect(code).not.toBe('')
  await post('reset-password', { code: secret('Canary-code-4'), ...repeatPassword(secret('Canary-next-5')) })
  expect((await post('reset-password', { code, ...repeatPassword(secret('Canary-next-6')) })).status).toBe(200)
  const repeatedToken = secret((await accountApp.signIn('canary', 'Canary-next-6')).body.jwt ?? '')
  const changedPassword = { currentPassword: 'Canary-next-6', ...repeatPassword(secret('Canary-next-7')) }
  expect((await ask('POST', '/auth/change-password', changedPassword, repeatedToken)).status).toBe(200)
  const setupAnswer = await ask('POST', '/auth/two-step', { password: 'Canary-next-7' }, repeatedToken)
  expect(setupAnswer.status).toBe(200)
  for (const secretText of [setupAnswer.body.secret ?? '', ...(setupAnswer.body.recovery ?? [])]) secret(secretText)
  const shownCode = secret(new TOTP({ secret: setupAnswer.body.secret ?? '' }).generate())
  await ask('POST', '/auth/two-step/confirm', { code: shownCode }, repeatedToken)
  await ask('POST', '/auth/two-step/confirm', { code: 'Canary-code-8' }, repeatedToken)

  const createdAnswer = await ask('POST', '/users', {
    username: 'second',
    email: 'second@example.org',
    password: secret('Canary-made-9'),
    role,
  })
  expect(createdAnswer.status).toBe(201)
  expect((await ask('PUT', `/users/${createdAnswer.body.id}`, { password: secret('Canary-set-10') })).status).toBe(200)

  const file = await app.inject({
    method: 'POST',
    url: '/api/export',
    headers: bearer(chiefToken),
    payload: {
      data: {
        resource: 'audit',
        format: 'csv',
        columns: ['action', 'user', 'resource', 'entry', 'details', 'address', 'request_id'],
        language: 'en',
        timeZone: 'UTC',
        query: {},
      },
    },
  })
  const lines = await database.query(sql`select * from audit`)
  const allTexts = [file.body, JSON.stringify([lines, await database.query(sql`select * from revisions`)])].join('\n')
  expect(file.statusCode).toBe(200)
  expect(lines.length).toBeGreaterThan(12)
  expect(secrets.filter((text) => text.length < 6)).toEqual([])
  expect(secrets.filter((text) => allTexts.includes(text) || allTexts.includes(text.replaceAll('-', '')))).toEqual([])
  expect(token).not.toBe(repeatedToken)
})
