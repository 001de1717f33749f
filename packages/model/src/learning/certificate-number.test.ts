import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCertificateNumber, newCertificateNumber, readCertificateNumber } from './certificate-number.ts'

const newNumber = () => newCertificateNumber(randomInt)
const number = fc.constant(undefined).map(newNumber)

describe('numbers of certificates', () => {
  it('makes certificate numbers of sixteen signs, and reads them in small letters and in groups', () => {
    fc.assert(
      fc.property(number, (made) => {
        expect(made).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
        const typed = formatCertificateNumber(made).toLowerCase()
        for (const text of [made, typed, typed.replaceAll('0', 'o').replaceAll('1', 'l'), typed.replaceAll('-', ' ')])
          expect(readCertificateNumber(text)).toBe(made)
      }),
    )
  })
  it('refuses a certificate number with one wrong sign', () => {
    fc.assert(
      fc.property(number, fc.nat(15), fc.constantFrom('2', '3', '7', 'A', 'H', 'Z'), (made, place, sign) => {
        fc.pre(made[place] !== sign)
        expect(readCertificateNumber(`${made.slice(0, place)}${sign}${made.slice(place + 1)}`)).toBeUndefined()
      }),
    )
  })
  it.each(['', 'ABC', 'U'.repeat(16), '0'.repeat(17), 'ББББББББББББББББ'])(
    'refuses %j as the number of a certificate',
    (text) => {
      expect(readCertificateNumber(text)).toBeUndefined()
    },
  )
  it('makes a different number for each certificate', () => {
    expect(new Set(Array.from({ length: 1_000 }, newNumber)).size).toBe(1_000)
  })
})
