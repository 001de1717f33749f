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

/**
 * Reads a number as a person may type it: with spaces and hyphens, in small letters, O for 0, I and L for 1.
 *
 * @returns The number as it is stored; undefined for a text that cannot be one.
 */
export function readCertificateNumber(typed: string): string | undefined {
  const text = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (text.length !== randomSigns + 1 || [...text].some((sign) => !signs.includes(sign))) return undefined
  return checkSign(text.slice(0, -1)) === text.at(-1) ? text : undefined
}
