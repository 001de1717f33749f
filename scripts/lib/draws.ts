/** Random draws that are equal for equal seeds, and unusual values for requests of the fuzz proof. */

/** Random generator for one request, so that any single request can be repeated alone. */
export class RandomDraws {
  #state: number

  constructor(seed: number, index: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  }

  /** Returns a random number from 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let hash = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61)
    return ((hash ^ (hash >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns a random whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('There is nothing to draw from')
    return item
  }

  /** Returns a random list of the given length, made item by item. */
  list<T>(length: number, make: () => T): T[] {
    return Array.from({ length }, make)
  }
}

const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '1e400',
  '9223372036854775808',
  '2147483648',
  '9'.repeat(400),
  'true',
  'null',
  'undefined',
  '[object Object]',
  '2026-02-30',
  '0000-01-01',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:60Z',
  '2026-01-01T25:00:00+99:99',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\u202e\u200f',
  '👩🏽‍🌾'.repeat(20),
  'İıſẞ',
  '١٢٣',
  `'; drop table users; --`,
  '%_\\',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'javascript:alert(1)',
  'a@b',
  '#12',
  '\\u0000',
  '{"a":',
  'x'.repeat(300),
  'ў'.repeat(5_000),
] as const

/** Returns a random text that hardly any field expects. */
export function oddText(draws: RandomDraws): string {
  if (draws.chance(0.7)) return draws.pick(oddTexts)
  const length = 1 + draws.below(12)
  return String.fromCharCode(...draws.list(length, () => (draws.chance(0.5) ? draws.below(256) : draws.below(65_536))))
}

const oddNumbers = [0, -0, -1, 1.5, 1e-7, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1e308, -1e308] as const

/** Returns a random JSON value; deeper values are simpler. */
export function oddValue(draws: RandomDraws, depth = 0): unknown {
  const kind = draws.below(depth > 3 ? 5 : 9)
  if (kind === 0) return null
  if (kind === 1) return draws.chance(0.5)
  if (kind === 2) return draws.pick(oddNumbers)
  if (kind === 3 || kind === 4) return oddText(draws)
  if (kind === 5) return []
  if (kind === 6) return draws.list(draws.below(4), () => oddValue(draws, depth + 1))
  if (kind === 7 && draws.chance(0.1)) return drawNestedValue(20 + draws.below(30))
  return Object.fromEntries(draws.list(draws.below(4), () => [oddKey(draws), oddValue(draws, depth + 1)]))
}

function oddKey(draws: RandomDraws): string {
  const keys = ['id', 'connect', 'set', 'disconnect', 'data', 'en', 'ru', 'uz', 'kaa', 'url', 'type', 'constructor', '']
  return draws.chance(0.9) ? draws.pick(keys) : oddText(draws)
}

function drawNestedValue(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Values that no record has as its id. */
export const oddIds = [
  '0',
  '-1',
  '2147483648',
  '99999999999999999999',
  '1e3',
  '1.0',
  '01',
  '%2031',
  'abc',
  'null',
  '%00',
  '%E0%A4%A',
  '%zz',
  '..',
  '%2e%2e',
  '1;2',
  "1'",
  'x'.repeat(250),
  '%F0%9F%98%80',
] as const
