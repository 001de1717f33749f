/**
 * Markers are values that occur only once in a whole test world, so that an answer that shows one reveals the
 * field it came from.
 */
import type { Field, ScalarField } from '@dala/model'

/**
 * Owner of a marker: the field of a record that contains it. `record` is a wire id, known once the record is
 * stored.
 */
export interface Owner {
  readonly resource: string
  record: number
  readonly field: string
}

const day = 86_400_000
const firstDay = Date.UTC(1890, 0, 1)
const firstMoment = Date.UTC(2090, 0, 1)
/**
 * First of the whole numbers that are markers, below the ids of the test world, with space for sums of some
 * of them.
 */
const firstWholeNumber = 70_000_001
/** Minimum bound of a number field that has space for a marker below it. */
const roomForMarker = 100_000_000

const shapes = [
  /zk\d{7}z/g,
  /(?<![0-9a-f])d{24}[0-9a-f]{8}(?![0-9a-f])/g,
  /(?<![0-9a-f])c{8}[0-9a-f]{8}(?![0-9a-f])/g,
  /(?<![\d.])\d{8,11}(?:\.\d+)?(?![\d.])/g,
  /(?<![\d.])41\.\d{6}(?!\d)/g,
  /(?<!\d)(?:18|19)\d\d-\d\d-\d\d(?!\d)/g,
  /(?<!\d)209\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?/g,
  /#[0-9a-f]{6}(?![0-9a-f])/g,
]

/** Returns the spelling of a marker for comparisons: moments drop their fraction and zone. */
const normalMarker = (marker: string) => (/^209\d-.*T/.test(marker) ? marker.slice(0, 19) : marker)

/** Creates markers and remembers their fields. */
export class Markers {
  readonly #owners = new Map<string, Owner[]>()
  #next = 0

  /** Every marker with the fields that contain it. */
  get all(): ReadonlyMap<string, readonly Owner[]> {
    return this.#owners
  }

  /**
   * Registers a value as a marker of a field.
   *
   * @returns The value.
   */
  own(value: string, owner: Owner): string {
    const marker = normalMarker(value)
    this.#owners.set(marker, [...(this.#owners.get(marker) ?? []), owner])
    return value
  }

  /** Makes a word that occurs nowhere else; a search treats some letters as equal, but no digits. */
  word(owner: Owner): string {
    this.#next += 1
    return this.own(`zk${String(this.#next).padStart(7, '0')}z`, owner)
  }

  /** Makes a name of a stored file, in the form that the server finds in texts. */
  hash(owner: Owner): string {
    return this.own(this.#number().toString(16).padStart(8, 'e').padStart(32, 'd'), owner)
  }

  /** Makes a hash that the server uses to compare pictures. */
  likeness(owner: Owner): string {
    return this.own(this.#number().toString(16).padStart(8, 'e').padStart(16, 'c'), owner)
  }

  #number(): number {
    this.#next += 1
    return this.#next
  }

  /**
   * Makes a marker as the value of a field.
   *
   * @returns The value; undefined where the kind has too few values for a unique one.
   * @throws For an unknown kind.
   */
  valueOf(field: ScalarField, owner: Owner): unknown {
    const makeWord = () => this.word(owner)
    switch (field.kind) {
      case 'text':
      case 'longText':
        return makeWord()
      case 'slug':
        return makeWord()
      case 'rich':
        return `<p>${makeWord()}</p>`
      case 'email':
        return `${makeWord()}@example.org`
      case 'link':
        return `https://example.org/${makeWord()}`
      case 'colour':
        return this.own(`#${(0x1a0000 + this.#number()).toString(16).padStart(6, '0')}`, owner)
      case 'int': {
        if (field.max !== undefined && field.max < roomForMarker) return undefined
        return Number(this.own(String(firstWholeNumber + this.#number()), owner))
      }
      case 'decimal':
        return this.#decimal(field, owner)
      case 'date':
        return this.own(new Date(firstDay + this.#number() * day).toISOString().slice(0, 10), owner)
      case 'dateTime':
        return this.own(new Date(firstMoment + this.#number() * 7_001_000).toISOString(), owner)
      case 'translations':
        return { en: makeWord(), ru: makeWord(), uz: makeWord(), kaa: makeWord() }
      case 'json':
        if (field.keys) return Object.fromEntries(field.keys.map((key) => [key, makeWord()]))
        return field.list === 'textList' ? [makeWord(), makeWord()] : [{ id: makeWord(), title: makeWord() }]
      case 'bool':
      case 'choice':
      case 'time':
      case 'workingHours':
      case 'password':
        return undefined
    }
    throw new Error(`No marker is known for the kind of ${owner.resource}.${owner.field}: ${JSON.stringify(field)}`)
  }

  #decimal({ digits, max }: Extract<Field, { kind: 'decimal' }>, owner: Owner): number | undefined {
    const wholeDigits = digits[0] - digits[1]
    if (wholeDigits >= 8) {
      const firstNumber = 5 * 10 ** (Math.min(wholeDigits, 11) - 1)
      return Number(this.own(String(firstNumber + this.#number()), owner))
    }
    // The value is a latitude: the decimals are the marker, and the last one is not a zero.
    if (digits[1] >= 6 && (max ?? 90) > 41) {
      const number = this.#number()
      const fractionDigits = String((number * 10 + 1) % 1_000_000).padStart(6, '0')
      return number < 99_999 ? Number(this.own(`41.${fractionDigits}`, owner)) : undefined
    }
    return undefined
  }
}

/**
 * Finds markers in a text.
 *
 * @returns The markers that a text shows, each once
 */
export function markersIn(text: string, knownMarkers: ReadonlyMap<string, unknown>): Set<string> {
  const foundMarkers = new Set<string>()
  for (const shape of shapes) {
    for (const [match] of text.matchAll(shape)) {
      const marker = normalMarker(match)
      if (knownMarkers.has(marker)) foundMarkers.add(marker)
    }
  }
  return foundMarkers
}
