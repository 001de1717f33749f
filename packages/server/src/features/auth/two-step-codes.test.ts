import { expect, test } from 'vitest'
import { periodOfCode } from './two-step-codes.ts'

// Codes of RFC 6238, appendix B (SHA-1), with the last six of its eight digits; the secret is
// `12345678901234567890`.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('accepts at second %i the code %s of the standard', (seconds, code) => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const step = Math.floor(seconds / 30)
  expect(periodOfCode(secret, code, seconds * 1_000)).toBe(step)
  expect(periodOfCode(secret, code, (seconds + 30) * 1_000)).toBe(step)
  expect(periodOfCode(secret, code, (seconds + 60) * 1_000)).toBeUndefined()
})
