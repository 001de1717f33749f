import { expect, it } from 'vitest'
import { strengthOf } from './password-strength.ts'

it.each([
  ['', 'weak'],
  ['1234', 'weak'],
  ['1234567890123456', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['cotton', 'weak'],
  ['Cotton-24', 'fair'],
  ['melontractor', 'fair'],
  ['Harvest-2026-uz', 'strong'],
  ['Kök7-Shımbay!q', 'strong'],
])('rates the password %j as %s', (password, strength) => expect(strengthOf(password)).toBe(strength))

it('gives less weight to the user’s own name in a password', () => {
  expect(strengthOf('Gulshat-24m', [])).toBe('strong')
  expect(strengthOf('Gulshat-24m', ['gulshat'])).not.toBe('strong')
})
