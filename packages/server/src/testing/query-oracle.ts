/**
 * Answers a list query from records in memory, in plain TypeScript: a second implementation of contract §5,
 * §6 and §8, without SQL and without the server's parser.
 */
import { foldCase, searchKeyOf, isLocale, type Locale, locales, searchKey, searchNeedles } from '@dala/model'
import { resourceNamed } from '../resources/attributes.ts'
import type { Filter, ListQuery, Page, Test } from './query-text.ts'
import { columnsOf, type HeldDocument, type HeldEntry, linksOf, type World } from './query-world.ts'

/** SQL's third truth value: a comparison with a missing value is unknown. */
type TruthValue = boolean | undefined
type PlainValue = string | number | boolean | null

const negate = (truth: TruthValue): TruthValue => (truth === undefined ? undefined : !truth)
const conjunctionOf = (truths: readonly TruthValue[]): TruthValue =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true
const disjunctionOf = (truths: readonly TruthValue[]): TruthValue => negate(conjunctionOf(truths.map(negate)))

const truthValues: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  false: false,
  f: false,
  '0': false,
}

const compareOctets = (firstText: string, otherText: string) =>
  Buffer.compare(Buffer.from(firstText), Buffer.from(otherText))

/** Compares texts by their code points, numbers and booleans by value. */
function compareValues(firstValue: Exclude<PlainValue, null>, otherValue: Exclude<PlainValue, null>): number {
  return typeof firstValue === 'string'
    ? compareOctets(firstValue, String(otherValue))
    : Number(firstValue) - Number(otherValue)
}

/** Answers list queries about one test world by a plain evaluation in memory. */
export class QueryOracle {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Returns the ids of all records that a list finds, in its order, without its pages. */
  find(query: ListQuery): number[] {
    const locale: Locale = query.locale !== undefined && isLocale(query.locale) ? query.locale : 'en'
    const keyedRecords = (this.#world[query.resource] ?? [])
      .flatMap((document) => this.#listed(document, query, locale))
      .filter((entry) => query.where === undefined || this.#holds(query.where, entry, query.resource, locale, false))
      .filter((entry) => query.search === undefined || this.#isFound(query.search, entry, query.resource, locale))
      .map((entry) => ({
        id: entry.id,
        keys: query.sort.map(({ path, isDescending }) =>
          this.#sortKey(path, isDescending, entry, query.resource, locale),
        ),
      }))
    keyedRecords.sort((one, other) => {
      for (const [index, { isDescending }] of query.sort.entries()) {
        const order = compareKeys(one.keys[index] ?? null, other.keys[index] ?? null)
        if (order !== 0) return isDescending ? -order : order
      }
      return one.id - other.id
    })
    return keyedRecords.map(({ id }) => id)
  }

  /** Returns the text rows of a document that a list shows (contract §8). */
  #listed({ entries }: HeldDocument, query: ListQuery, locale: Locale): HeldEntry[] {
    if (!resourceNamed(query.resource).localized) return entries
    const { missing, outdated } = query
    if (missing && entries.some((entry) => entry.locale === missing)) return []
    if (outdated && !entries.some((entry) => entry.locale === outdated && entry.values.outdated === true)) return []
    if (query.locale === 'all') return entries
    if (query.locale !== undefined && !isLocale(query.locale)) return []
    if (!query.fallback) return entries.filter((entry) => entry.locale === locale)
    const shownEntry = firstEntryOf(entries, [locale])
    return shownEntry ? [shownEntry] : []
  }

  /**
   * Returns the text rows that a link shows: of each target the one in the parent's language, else the
   * query's, else the next.
   */
  #related(parent: HeldEntry, link: string, locale: Locale): HeldEntry[] {
    if (link === 'localizations') return parent.document.entries.filter((entry) => entry !== parent)
    return (parent.document.links[link] ?? []).flatMap((document) => {
      const shownEntry = firstEntryOf(document.entries, parent.locale ? [parent.locale, locale] : [locale])
      return shownEntry ? [shownEntry] : []
    })
  }

  /**
   * Tells whether a filter matches a record. Inside a link, an id of any language identifies the record
   * (contract §8).
   */
  #holds(filter: Filter, entry: HeldEntry, resource: string, locale: Locale, isLinked: boolean): TruthValue {
    const innerTruth = (partFilter: Filter) => this.#holds(partFilter, entry, resource, locale, isLinked)
    switch (filter.kind) {
      case 'all':
      case 'keys':
        return conjunctionOf(filter.parts.map(innerTruth))
      case 'any':
        return disjunctionOf(filter.parts.map(innerTruth))
      case 'not':
        return negate(innerTruth(filter.part))
      case 'column': {
        if (isLinked && filter.name === 'id') return this.#hasId(filter.test, entry, resource)
        const storage = columnsOf(resource).find(([name]) => name === filter.name)?.[1] ?? 'text'
        return passesTest(filter.test, valueOf(entry, filter.name, locale), (text) => readText(text, storage))
      }
      case 'linked': {
        const { target, isMany: isList } = findLink(resource, filter.name)
        const family = filter.name === 'localizations'
        const foundTruths = this.#related(entry, filter.name, locale).map((relatedEntry) =>
          this.#holds(filter.some, relatedEntry, target, locale, !family),
        )
        // One of several linked records must match; a missing single link makes the comparison unknown.
        return isList ? foundTruths.includes(true) : foundTruths[0]
      }
      case 'targets': {
        const relatedEntries = this.#related(entry, filter.name, locale)
        const { target, isMany: isList } = findLink(resource, filter.name)
        const isNegative = filter.is === '$ne' || filter.is === '$notIn'
        const family = filter.name === 'localizations'
        const foundTruths = relatedEntries.map((relatedEntry) => {
          const entryIds =
            family || !resourceNamed(target).localized
              ? [relatedEntry.id]
              : relatedEntry.document.entries.map(({ id }) => id)
          return entryIds.some((id) => filter.ids.map(Number).includes(id)) !== isNegative
        })
        return isList ? foundTruths.includes(true) : foundTruths[0]
      }
      case 'empty':
        return (
          (this.#related(entry, filter.name, locale).length === 0) ===
          (truthValues[filter.truth] === (filter.is === '$null'))
        )
    }
  }

  /**
   * Tells whether an id matches: equality accepts any id of a linked record; every other comparison uses the
   * text row shown.
   */
  #hasId(test: Test, entry: HeldEntry, resource: string): TruthValue {
    if (test.kind === 'not') return negate(this.#hasId(test.test, entry, resource))
    if (test.kind !== 'is') {
      const parts = test.tests.map((partTest) => this.#hasId(partTest, entry, resource))
      return test.kind === 'all' ? conjunctionOf(parts) : disjunctionOf(parts)
    }
    const { is = '$eq', values } = test
    const hasAnyId = () => entry.document.entries.some(({ id }) => values.map(Number).includes(id))
    if (is === '$eq' || is === '$in') return hasAnyId()
    if (is === '$ne' || is === '$notIn') return !hasAnyId()
    return passesTest(test, entry.id, Number)
  }

  /**
   * Tells whether the search `_q` finds a record: any text contains it, or a number equals it (contract §6).
   */
  #isFound(text: string, entry: HeldEntry, resource: string, locale: Locale): boolean {
    const needles = searchNeedles(text)
    return columnsOf(resource)
      .filter(([name]) => name in resourceNamed(resource).fields)
      .some(([name, storage]) => {
        const value = valueOf(entry, name, locale)
        if (value === null) return false
        if (storage === 'text') return needles.some((needle) => searchKey(String(value)).includes(needle))
        return typeof value === 'number' && /^-?\d+(\.\d+)?$/.test(text) && value === Number(text)
      })
  }

  #sortKey(
    path: readonly string[],
    isDescending: boolean,
    entry: HeldEntry,
    resource: string,
    locale: Locale,
  ): PlainValue {
    const [name = 'id', ...innerPath] = path
    const link = linksOf(resource).find((candidateLink) => candidateLink.name === name)
    if (!link) {
      const value = valueOf(entry, name, locale)
      const isText = columnsOf(resource).some(([column, storage]) => column === name && storage === 'text')
      return isText && typeof value === 'string' ? searchKeyOf(value) : value
    }
    const keys = this.#related(entry, name, locale)
      .map((relatedEntry) => this.#sortKey(innerPath, isDescending, relatedEntry, link.target, locale))
      .filter((key) => key !== null)
      .sort(compareValues)
    // A list of links sorts by the linked value that comes first in the order.
    return (isDescending ? keys.at(-1) : keys[0]) ?? null
  }
}

/** Returns the rows of one page, and the total when it is requested (contract §5). */
export function pageOf(ids: readonly number[], { form, at, size, counts }: Page): { ids: number[]; total?: number } {
  const length = size === -1 && form === 'offset' ? 100 : Math.min(Math.max(size ?? 15, 1), 100)
  const start = form === 'page' ? (Math.max(at ?? 1, 1) - 1) * length : Math.max(at ?? 0, 0)
  return { ids: ids.slice(start, start + length), ...(counts && { total: ids.length }) }
}

/** A missing value sorts as greater than any other: last ascending, first descending. */
function compareKeys(firstKey: PlainValue, otherKey: PlainValue): number {
  if (firstKey === null || otherKey === null) return Number(firstKey === null) - Number(otherKey === null)
  return compareValues(firstKey, otherKey)
}

function firstEntryOf(entries: readonly HeldEntry[], preferredLocales: readonly Locale[]): HeldEntry | undefined {
  if (entries.every((entry) => entry.locale === undefined)) return entries[0]
  for (const locale of [...preferredLocales, ...locales]) {
    const foundEntry = entries.find((entry) => entry.locale === locale)
    if (foundEntry) return foundEntry
  }
  return undefined
}

function findLink(resource: string, name: string) {
  const link = linksOf(resource).find((candidateLink) => candidateLink.name === name)
  if (!link) throw new Error(`${resource} has no link ${name}`)
  return link
}

/** Returns a value as filters and sorts use it: of an i18n object, the query's language. */
function valueOf(entry: HeldEntry, name: string, locale: Locale): PlainValue {
  const value = entry.values[name] ?? null
  return typeof value === 'object' ? (value?.[locale] ?? null) : value
}

function readText(text: string, storage: string): Exclude<PlainValue, null> {
  if (storage === 'integer' || storage === 'decimal') return Number(text)
  if (storage === 'boolean') return truthValues[text] ?? false
  if (storage === 'date') return new Date(text).toISOString().slice(0, 10)
  if (storage === 'timestamp') return new Date(text).toISOString()
  return text
}

function passesTest(test: Test, value: PlainValue, readOne: (text: string) => Exclude<PlainValue, null>): TruthValue {
  if (test.kind === 'not') return negate(passesTest(test.test, value, readOne))
  if (test.kind === 'all') return conjunctionOf(test.tests.map((partTest) => passesTest(partTest, value, readOne)))
  if (test.kind === 'any') return disjunctionOf(test.tests.map((partTest) => passesTest(partTest, value, readOne)))
  const { is = '$eq', values } = test
  const [text = '', upperText = ''] = values
  if (is === '$null' || is === '$notNull') return (value === null) === (truthValues[text] === (is === '$null'))
  if (value === null) return undefined
  const storedText = String(value)
  const isEqualTo = (operand: string) => compareValues(value, readOne(operand)) === 0
  switch (is) {
    case '$eq':
    case '$in':
      return values.some(isEqualTo)
    case '$ne':
    case '$notIn':
      return !values.some(isEqualTo)
    case '$eqi':
      return values.some((operand) => foldCase(operand) === foldCase(storedText))
    case '$nei':
      return values.every((operand) => foldCase(operand) !== foldCase(storedText))
    case '$lt':
      return compareValues(value, readOne(text)) < 0
    case '$lte':
      return compareValues(value, readOne(text)) <= 0
    case '$gt':
      return compareValues(value, readOne(text)) > 0
    case '$gte':
      return compareValues(value, readOne(text)) >= 0
    case '$between':
      return compareValues(value, readOne(text)) >= 0 && compareValues(value, readOne(upperText)) <= 0
    case '$contains':
      return storedText.includes(text)
    case '$notContains':
      return !storedText.includes(text)
    case '$containsi':
      return foldCase(storedText).includes(foldCase(text))
    case '$notContainsi':
      return !foldCase(storedText).includes(foldCase(text))
    case '$startsWith':
      return storedText.startsWith(text)
    case '$endsWith':
      return storedText.endsWith(text)
    case '$startsWithi':
      return foldCase(storedText).startsWith(foldCase(text))
    case '$endsWithi':
      return foldCase(storedText).endsWith(foldCase(text))
  }
}
