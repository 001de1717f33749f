/** Numbers of certificates: fifteen random signs and a check sign (e-learning §7). */

/** Signs of a number; those that look like others are left out (Crockford's base 32). */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base = signs.length
const randomSigns = 15

/** Computes the sign that makes a typing error detectable (Luhn's algorithm for a base of 32). */
function computeCheckSign(text: string): string {
  let sum = 0
  for (const [index, sign] of [...text].toReversed().entries()) {
    const product = signs.indexOf(sign) * (index % 2 === 0 ? 2 : 1)
    sum += Math.floor(product / base) + (product % base)
  }
  return signs[(base - (sum % base)) % base] ?? ''
}

/**
 * Makes a new number.
 *
 * @param pickRandom - Returns an unpredictable integer from 0 to below `max`, so that numbers cannot be guessed.
 * @returns The number: fifteen random signs and their check sign.
 * @see e-learning §7
 */
export function newCertificateNumber(pickRandom: (max: number) => number): string {
  const text = Array.from({ length: randomSigns }, () => signs[pickRandom(base)]).join('')
  return text + computeCheckSign(text)
}

/**
 * Reads a number as a person may type it: with spaces and hyphens, in small letters, O for 0, I and L for 1.
 *
 * @param typedNumber - The text.
 * @returns The number as it is stored; undefined for a text that cannot be one.
 * @see e-learning §7
 */
export function readCertificateNumber(typedNumber: string): string | undefined {
  const text = typedNumber.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (text.length !== randomSigns + 1 || [...text].some((sign) => !signs.includes(sign))) return undefined
  return computeCheckSign(text.slice(0, -1)) === text.at(-1) ? text : undefined
}

/**
 * Writes a number in groups of four signs, as people read it.
 *
 * @param number - The number as it is stored.
 * @returns The groups with hyphens between them: `0123-4567-89AB-CDEF`.
 */
export const formatCertificateNumber = (number: string): string => number.replaceAll(/(.{4})(?!$)/g, '$1-')
