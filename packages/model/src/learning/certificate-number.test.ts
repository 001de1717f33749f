import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCertificateNumber, newCertificateNumber, readCertificateNumber } from './certificate-number.ts'

const newNumber = () => newCertificateNumber(randomInt)
const number = fc.constant(undefined).map(newNumber)

describe('numbers of certificates', () => {
  it('makes certificate numbers of sixteen signs, and reads them in small letters and in groups', () => {
    fc.assert(
      fc.property(number, (certificateNumber) => {
        expect(certificateNumber).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
        const typedText = formatCertificateNumber(certificateNumber).toLowerCase()
        for (const text of [
          certificateNumber,
          typedText,
          typedText.replaceAll('0', 'o').replaceAll('1', 'l'),
          typedText.replaceAll('-', ' '),
        ])
          expect(readCertificateNumber(text)).toBe(certificateNumber)
      }),
    )
  })
  it('refuses a certificate number with one wrong sign', () => {
    fc.assert(
      fc.property(
        number,
        fc.nat(15),
        fc.constantFrom('2', '3', '7', 'A', 'H', 'Z'),
        (certificateNumber, position, sign) => {
          fc.pre(certificateNumber[position] !== sign)
          expect(
            readCertificateNumber(
              `${certificateNumber.slice(0, position)}${sign}${certificateNumber.slice(position + 1)}`,
            ),
          ).toBeUndefined()
        },
      ),
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
