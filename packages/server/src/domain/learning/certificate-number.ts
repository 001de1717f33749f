/** Numbers of certificates: fifteen random signs and a check sign (e-learning §7). */
import { randomInt } from 'node:crypto'

/** Signs of a number; those that look like others are left out (Crockford's base 32). */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base = signs.length
const randomSigns = 15

/** Computes the sign that makes a typing error detectable (Luhn's algorithm for a base of 32). */
function checkSign(text: string): string {
  let sum = 0
  for (const [index, sign] of [...text].toReversed().entries()) {
    const product = signs.indexOf(sign) * (index % 2 === 0 ? 2 : 1)
    sum += Math.floor(product / base) + (product % base)
  }
  return signs[(base - (sum % base)) % base] ?? ''
}

/** Makes a new number that cannot be guessed. */
export function newCertificateNumber(): string {
  const text = Array.from({ length: randomSigns }, () => signs[randomInt(base)]).join('')
  return text + checkSign(text)
}
