import { foldCase, resources } from '@dala/model'
import { describe, expect, test } from 'vitest'
import { passwordLengths } from '../../settings.ts'
import { applyPasswordPolicy, takenFields, weaknessOf } from './accounts.ts'
import { commonPasswords } from './common-passwords.ts'

const owner = { username: 'Gulnara', email: 'Gulnara.S@example.org' }

describe('weak passwords', () => {
  test.each([
    ['qwerty123', 'validation.passwordCommon'],
    ['QWERTY123', 'validation.passwordCommon'],
    ['пароль123', 'validation.passwordCommon'],
    ['aaabbbaaab', 'validation.passwordCommon'],
    ['gulnara', 'validation.passwordPersonal'],
    ['GULNARA.S', 'validation.passwordPersonal'],
    ['gulnara.s@example.org', 'validation.passwordPersonal'],
    ['Agropanel', 'validation.passwordPersonal'],
    ['gulnara and her 7 cows', undefined],
    ['Harvest-2026', undefined],
  ] as const)('finds for the password %s the weakness %s', (password, weakness) => {
    expect(weaknessOf(password, owner)).toBe(weakness)
  })
  test('lists common passwords in normalised form, for both policies', () => {
    expect(commonPasswords.size).toBeGreaterThan(200)
    for (const password of commonPasswords) expect(password).toBe(foldCase(password))
    for (const { min, max } of Object.values(passwordLengths)) {
      const passwordsInRange = [...commonPasswords].filter(
        (password) => password.length >= min && password.length <= max,
      )
      expect(passwordsInRange.length).toBeGreaterThan(20)
    }
  })
})

test('changes only the password field of accounts for a password policy', () => {
  expect(applyPasswordPolicy('spec', resources.users)).toBe(resources.users)
  const strictAccounts = applyPasswordPolicy('strict', resources.users)
  expect(strictAccounts.fields.password).toMatchObject({ minLength: 15, maxLength: 64, private: true, required: true })
  const { password: _strict, ...strictFields } = strictAccounts.fields
  const { password: _spec, ...plainFields } = resources.users.fields
  expect(strictFields).toEqual(plainFields)
  expect(applyPasswordPolicy('strict', resources.tags)).toBe(resources.tags)
})

test('reports user names and e-mails as taken only after refusals of the database', () => {
  expect(takenFields(new Error('x'))).toEqual([])
})
