/** Makes random valid list queries: names, operators and values that fit the records. */
import { foldCase, kindOf, isScalar, locales, type Operator, operators, type Storage } from '@dala/model'
import fc from 'fast-check'
import { resourceNamed } from '../resources/attributes.ts'
import {
  comparisonsOf,
  type Filter,
  isWithinLimits,
  type ListQuery,
  type Page,
  type SortOrder,
  type QuerySpelling,
  type Test,
  textOf,
} from './query-text.ts'
import { queriedResources, columnsOf, type HeldEntry, linksOf, type World } from './query-world.ts'

export interface GeneratedQuery {
  query: ListQuery
  /** Text of the random query. */
  text: string
}

const ids: readonly [string, Storage][] = [
  ['id', 'integer'],
  ['id', 'integer'],
]
const maxDepths = { logic: 4, links: 3 }
const booleanTexts = fc.constantFrom('true', 'false', '1', '0', 't', 'f')

const entriesOf = (world: World, resource: string): HeldEntry[] =>
  (world[resource] ?? []).flatMap(({ entries }) => entries)

/**
 * Converts a text to capitals by a table of the letters in use: the runtime's own mapping differs from that
 * of the contract.
 */
const smallLetters = Array.from('abcdefghijklmnopqrstuvwxyzáǵıńóúабвгдеёжзийклмнопрстуфхцчшщъыьэюяўқғҳәңөү')
const capitalLetters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZÁǴÍŃÓÚАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЎҚҒҲӘҢӨҮ')
const toCapitals = (text: string) =>
  [...text].map((letter) => capitalLetters[smallLetters.indexOf(letter)] ?? letter).join('')

/** Words that the random search finds in several attributes of one record. */
const searchTerms = ['news', 'EVENT', 'city', 'ion', 'е', '3', 'ел', 'OʻZ']

const nearMisses: readonly ((text: string) => string)[] = [
  (text) => text,
  foldCase,
  toCapitals,
  (text) => `${text}%`,
  (text) => text.replace(/\w/, '_'),
  (text) => text.replaceAll('ё', 'е').replaceAll('Ё', 'Е'),
  (text) => text.replace('ʻ', "'"),
  (text) => text.replaceAll('\\', '\\\\'),
]

/** Makes texts of the data, parts of them, and slight variations. */
function texts(knownTexts: readonly string[]): fc.Arbitrary<string> {
  const storedText = fc.constantFrom(...new Set(knownTexts), 'x')
  const textPart = fc.tuple(storedText, fc.nat(20), fc.integer({ min: 1, max: 6 })).map(([text, start, length]) => {
    const letters = [...text]
    const startIndex = start % Math.max(letters.length, 1)
    return letters.slice(startIndex, startIndex + length).join('')
  })
  return fc
    .tuple(
      fc.oneof(storedText, textPart, fc.constantFrom('%', '_', '\\', 'е', 'дон', "'", 'sh')),
      fc.constantFrom(...nearMisses),
    )
    .map(([text, miss]) => miss(text) || 'x')
}

/** Makes query values for one column, drawn from its content. */
function valuesFor(world: World, resource: string, column: string, storage: Storage): fc.Arbitrary<string> {
  const storedEntries = entriesOf(world, resource)
    .map(({ values }) => values[column] ?? null)
    .flatMap((value) => (typeof value === 'object' ? Object.values(value ?? {}) : [value]))
    .filter((value) => value !== null)
  const storedTexts = [...new Set(storedEntries.map(String))]
  switch (storage) {
    case 'boolean':
      return booleanTexts
    case 'integer':
      return fc.constantFrom(...storedTexts, '0', '-1', '+3', '2147483648')
    case 'decimal':
      return fc.constantFrom(
        ...storedTexts,
        ...storedTexts.map((text) => `${text}${text.includes('.') ? '0' : '.0'}`),
        '0.1',
      )
    case 'date':
      return fc.constantFrom(...storedTexts, '2026-02-15', ...storedTexts.map((day) => `${day}T10:00:00.000Z`))
    case 'timestamp':
      return fc.constantFrom(...storedTexts, '2026-01-04', '2026-01-02T17:00:00+05:00')
    default:
      return texts(storedTexts)
  }
}

const listOperators: ReadonlySet<Operator | undefined> = new Set([
  '$in',
  '$notIn',
  '$eq',
  '$ne',
  '$eqi',
  '$nei',
  undefined,
])

function operatorsFor(resource: string, column: string, storage: Storage): readonly Operator[] {
  const field = resourceNamed(resource).fields[column]
  if (field && isScalar(field)) return kindOf(field).operators
  if (column === 'locale') return operators
  if (storage === 'boolean') return ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull']
  return operators.filter((operator) => !/contains|With|eqi|nei/i.test(operator))
}

/** Makes random list queries about the records of one test world. */
class QueryMaker {
  readonly #world: World
  readonly #known = new Map<string, fc.Arbitrary<Filter>>()

  constructor(world: World) {
    this.#world = world
  }

  #column(resource: string, isLinkedRecord: boolean): fc.Arbitrary<Filter> {
    return fc.oneof(
      // Ids of linked records have rules of their own: random queries draw them more often.
      ...[...columnsOf(resource), ...(isLinkedRecord ? ids : [])].map(([name, storage]) => {
        // The presence of a linked record is tested on the link, not on its id.
        const valueOperators = operatorsFor(resource, name, storage).filter(
          (operator) => !(isLinkedRecord && name === 'id' && /null/i.test(operator)),
        )
        const value = valuesFor(this.#world, resource, name, storage)
        const testArbitrary = fc
          .constantFrom(...valueOperators, ...(valueOperators.includes('$eq') ? [undefined] : []))
          .chain((is): fc.Arbitrary<Test> => {
            if (is === '$null' || is === '$notNull') {
              return booleanTexts.map((truth) => ({ kind: 'is', is, values: [truth], list: false }))
            }
            const [minCount, maxCount] = is === '$between' ? [2, 2] : listOperators.has(is) ? [1, 3] : [1, 1]
            return fc
              .tuple(fc.array(value, { minLength: minCount, maxLength: maxCount }), fc.boolean())
              .map(([values, list]) => ({
                kind: 'is',
                is,
                values,
                list: values.length > 1 || (list && listOperators.has(is)),
              }))
          })
        const test: fc.Arbitrary<Test> = fc.oneof(
          { arbitrary: testArbitrary, weight: 6 },
          { arbitrary: testArbitrary.map((negatedTest): Test => ({ kind: 'not', test: negatedTest })), weight: 2 },
          {
            arbitrary: fc
              .tuple(
                fc.constantFrom<'all' | 'any'>('all', 'any'),
                fc.array(testArbitrary, { minLength: 1, maxLength: 2 }),
              )
              .map(([kind, tests]): Test => ({ kind, tests })),
            weight: 1,
          },
        )
        return test.map((columnTest): Filter => ({ kind: 'column', name, test: columnTest }))
      }),
    )
  }

  #link(resource: string, logic: number, links: number): fc.Arbitrary<Filter>[] {
    return linksOf(resource).flatMap(({ name, target }): fc.Arbitrary<Filter>[] => {
      const storedIds = entriesOf(this.#world, target).map(({ id }) => String(id))
      const namedIds = fc.oneof({ arbitrary: fc.constantFrom(...storedIds), weight: 3 }, fc.constant('99999'))
      // A query with an unknown id alone is drawn more often than by chance.
      const ids = fc.oneof(fc.array(namedIds, { minLength: 1, maxLength: 3 }), fc.constant(['99999']))
      const operator = fc.constantFrom('$eq' as const, '$ne' as const, '$in' as const, '$notIn' as const, undefined)
      const targets = fc
        .tuple(operator, ids, fc.boolean())
        .map(([is, targetIds, isById]): Filter => ({ kind: 'targets', name, is, ids: targetIds, isById }))
      const emptyFilter = fc
        .tuple(fc.constantFrom('$null' as const, '$notNull' as const), booleanTexts, fc.boolean())
        .map(([is, truth, byId]): Filter => ({ kind: 'empty', name, is, truth, byId }))
      if (links === 0) return [targets, emptyFilter]
      const linkedFilter = this.filter(target, Math.min(logic, 2), links - 1, true).map((targetFilter): Filter => ({
        kind: 'linked',
        name,
        some: targetFilter,
      }))
      return [targets, emptyFilter, linkedFilter, linkedFilter]
    })
  }

  /** Makes conditions on a resource, up to a depth of nesting. */
  filter(resource: string, logic: number, links: number, isLinkedRecord = false): fc.Arbitrary<Filter> {
    const key = `${resource} ${logic} ${links} ${isLinkedRecord}`
    const cachedFilter = this.#known.get(key)
    if (cachedFilter) return cachedFilter
    const column = this.#column(resource, isLinkedRecord)
    const reachingFilter = this.#link(resource, logic, links)
    const leafFilter = reachingFilter.length > 0 ? fc.oneof(column, fc.oneof(...reachingFilter)) : column
    const filters =
      logic === 0
        ? leafFilter
        : fc.oneof(leafFilter, leafFilter, this.#nested(resource, logic, links, isLinkedRecord, leafFilter))
    this.#known.set(key, filters)
    return filters
  }

  #nested(
    resource: string,
    logic: number,
    links: number,
    isLinked: boolean,
    leaf: fc.Arbitrary<Filter>,
  ): fc.Arbitrary<Filter> {
    const innerFilters = this.filter(resource, logic - 1, links, isLinked)
    const parts = fc.array(innerFilters, { minLength: 1, maxLength: 3 })
    return fc.oneof(
      parts.map((filters): Filter => ({ kind: 'all', parts: filters })),
      parts.map((filters): Filter => ({ kind: 'any', parts: filters })),
      innerFilters.map((innerFilter): Filter => ({ kind: 'not', part: innerFilter })),
      fc
        .uniqueArray(leaf, {
          minLength: 1,
          maxLength: 3,
          selector: (leafPart) => ('name' in leafPart ? leafPart.name : ''),
        })
        .map((filters): Filter => ({ kind: 'keys', parts: filters })),
    )
  }

  sorting(resource: string, links: number): fc.Arbitrary<SortOrder> {
    const sortableColumns = columnsOf(resource).filter(([, storage]) => storage !== 'json')
    const ownFields = fc.constantFrom(...sortableColumns).map(([name]) => [name])
    const furtherLinks = linksOf(resource).map(({ name, target }) => {
      const ownPath = fc.constant([name])
      return links === 0
        ? ownPath
        : fc.oneof(
            ownPath,
            this.sorting(target, links - 1).map(({ path }) => [name, ...path]),
          )
    })
    return fc
      .tuple(
        furtherLinks.length > 0 ? fc.oneof(ownFields, ownFields, fc.oneof(...furtherLinks)) : ownFields,
        fc.boolean(),
      )
      .map(([path, isDescending]) => ({ path, isDescending }))
  }
}

const pages: fc.Arbitrary<Page> = fc.record({
  form: fc.constantFrom('page', 'offset'),
  at: fc.constantFrom(undefined, 0, 1, 2, 3),
  size: fc.constantFrom(undefined, 1, 2, 8, 20, 100, 500, -1),
  counts: fc.boolean(),
})

const spellings: fc.Arbitrary<QuerySpelling> = fc.record({
  list: fc.constantFrom('indexed', 'empty', 'repeated'),
  sort: fc.constantFrom('text', 'list', 'repeated', 'objects', 'object'),
  direction: fc.constantFrom('short', 'long', 'capital'),
  encodesBrackets: fc.boolean(),
})

const optionalValue = <T>(value: fc.Arbitrary<T>, freq: number) => fc.option(value, { nil: undefined, freq })

/** Makes valid queries about the records of a test world, for a caller who sees all of them. */
export function generateQueries(world: World): fc.Arbitrary<GeneratedQuery> {
  const queryMaker = new QueryMaker(world)
  const generateQuery = (resource: string): fc.Arbitrary<GeneratedQuery> => {
    const { localized } = resourceNamed(resource)
    const storedValues = entriesOf(world, resource).flatMap(({ values }) => Object.values(values))
    const storedTexts = storedValues
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map(String)
    const language = fc.constantFrom(...locales)
    const parts = fc.record({
      where: optionalValue(queryMaker.filter(resource, maxDepths.logic, maxDepths.links), 5),
      search: fc.oneof(
        fc.constant(undefined),
        fc.constant(undefined),
        texts(storedTexts),
        fc.constantFrom(...searchTerms),
      ),
      sort: fc.array(queryMaker.sorting(resource, 2), { maxLength: 3 }),
      locale: fc.constantFrom(undefined, 'en', 'ru', 'uz', 'kaa', 'all', 'all', 'de'),
      fallback: fc.boolean(),
      missing: localized ? fc.oneof(fc.constant(undefined), fc.constant(undefined), language) : fc.constant(undefined),
      outdated: localized ? fc.oneof(fc.constant(undefined), fc.constant(undefined), language) : fc.constant(undefined),
      page: pages,
    })
    return fc.tuple(parts, spellings).map(([queryParts, spelling]) => {
      const query: ListQuery = { resource, ...queryParts }
      return { query, text: textOf(query, spelling) }
    })
  }
  // Random queries are more often about news than other resources, because news have the most fields and
  // links.
  return fc
    .oneof(generateQuery('news'), ...queriedResources.map(generateQuery))
    .filter(({ query, text }) => isWithinLimits(text) && (!query.where || comparisonsOf(query.where) <= 30))
}
