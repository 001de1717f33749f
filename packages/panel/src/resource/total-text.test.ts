import { expect, test } from 'vitest'
import { totalText } from './total-text.ts'

test.each([
  [{ total: 140_000 }, '140,000'],
  [{ total: 140_000, isEstimate: true }, '≈ 140,000'],
] as const)('marks an estimated total, but not an exact total: %o', (page, text) => {
  expect(totalText('en', page)).toBe(text)
})
