/** Writes a list query as the text of an address, in one of the spellings that contract §5 and §6 allow. */
import type { Locale, Operator } from '@dala/model'

/** A comparison of one column; without `is` it is the implicit equality. */
export type Test =
  | { kind: 'is'; is: Operator | undefined; values: readonly string[]; list: boolean }
  | { kind: 'not'; test: Test }
  | { kind: 'all'; tests: readonly Test[] }
  | { kind: 'any'; tests: readonly Test[] }

export type Filter =
  /** Filter with several parts; `keys`: adjacent keys of one object instead of `$and`. */
  | { kind: 'all' | 'any' | 'keys'; parts: readonly Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'column'; name: string; test: Test }
  | { kind: 'linked'; name: string; some: Filter }
  | {
      kind: 'targets'
      name: string
      is: '$eq' | '$ne' | '$in' | '$notIn' | undefined
      ids: readonly string[]
      isById: boolean
    }
  | { kind: 'empty'; name: string; is: '$null' | '$notNull'; truth: string; byId: boolean }

export interface SortOrder {
  path: readonly string[]
  isDescending: boolean
}

export interface Page {
  form: 'page' | 'offset'
  /** Number of the page, or of the first row. */
  at: number | undefined
  /** Number of requested rows. */
  size: number | undefined
  counts: boolean
}

export interface ListQuery {
  resource: string
  where: Filter | undefined
  search: string | undefined
  sort: readonly SortOrder[]
  /** Requested language: a code, `all`, one that does not exist, or none. */
  locale: string | undefined
  fallback: boolean
  missing: Locale | undefined
  outdated: Locale | undefined
  page: Page
}

/** Spellings of a query's parts: the choice has no influence on the meaning. */
export interface QuerySpelling {
  list: 'indexed' | 'empty' | 'repeated'
  sort: 'text' | 'list' | 'repeated' | 'objects' | 'object'
  direction: 'short' | 'long' | 'capital'
  encodesBrackets: boolean
}

type Pair = [key: string, value: string]

const listPairs = (key: string, values: readonly string[], { list }: QuerySpelling): Pair[] =>
  values.map((value, index) => [
    list === 'indexed' || values.length === 1 ? `${key}[${index}]` : list === 'empty' ? `${key}[]` : key,
    value,
  ])

function testPairs(key: string, test: Test, spelling: QuerySpelling): Pair[] {
  if (test.kind === 'not') return testPairs(`${key}[$not]`, test.test, spelling)
  if (test.kind !== 'is') {
    const operatorName = test.kind === 'all' ? '$and' : '$or'
    return test.tests.flatMap((partTest, index) => testPairs(`${key}[${operatorName}][${index}]`, partTest, spelling))
  }
  const parameter = test.is === undefined ? key : `${key}[${test.is}]`
  return test.list ? listPairs(parameter, test.values, spelling) : [[parameter, test.values[0] ?? '']]
}

function filterPairs(key: string, filter: Filter, spelling: QuerySpelling): Pair[] {
  switch (filter.kind) {
    case 'all':
    case 'any': {
      const operatorName = filter.kind === 'all' ? '$and' : '$or'
      return filter.parts.flatMap((partFilter, index) =>
        filterPairs(`${key}[${operatorName}][${index}]`, partFilter, spelling),
      )
    }
    case 'keys':
      return filter.parts.flatMap((partFilter) => filterPairs(key, partFilter, spelling))
    case 'not':
      return filterPairs(`${key}[$not]`, filter.part, spelling)
    case 'column':
      return testPairs(`${key}[${filter.name}]`, filter.test, spelling)
    case 'linked':
      return filterPairs(`${key}[${filter.name}]`, filter.some, spelling)
    case 'targets': {
      const namedKey = `${key}[${filter.name}]${filter.isById ? '[id]' : ''}`
      const parameter = filter.is === undefined ? namedKey : `${namedKey}[${filter.is}]`
      return filter.ids.length === 1 ? [[parameter, filter.ids[0] ?? '']] : listPairs(parameter, filter.ids, spelling)
    }
    case 'empty':
      return [[`${key}[${filter.name}]${filter.byId ? '[id]' : ''}[${filter.is}]`, filter.truth]]
  }
}

function sortPairs(sorts: readonly SortOrder[], { sort, direction }: QuerySpelling): Pair[] {
  const spellDirection = (mustDescend: boolean) => {
    const directionName = mustDescend ? 'desc' : 'asc'
    return direction === 'capital' ? { desc: 'DESC', asc: 'ASC' }[directionName] : directionName
  }
  const texts = sorts.map(({ path, isDescending }) =>
    direction === 'short' && !isDescending ? path.join('.') : `${path.join('.')}:${spellDirection(isDescending)}`,
  )
  const brackets = (path: readonly string[]) => path.map((name) => `[${name}]`).join('')
  switch (sort) {
    case 'text':
      return [['sort', texts.join(',')]]
    case 'list':
      return texts.map((text, index) => [`sort[${index}]`, text])
    case 'repeated':
      return texts.map((text) => ['sort[]', text])
    case 'objects':
      return sorts.map(({ path, isDescending }, index) => [
        `sort[${index}]${brackets(path)}`,
        spellDirection(isDescending),
      ])
    case 'object':
      // Two paths into one relation would share one key of the query's object.
      return sorts.length === 1
        ? sorts.map(({ path, isDescending }) => [`sort${brackets(path)}`, spellDirection(isDescending)])
        : [['sort', texts.join(',')]]
  }
}

function pagePairs({ form, at, size, counts }: ListQuery['page']): Pair[] {
  const [start, length] = form === 'page' ? ['page', 'pageSize'] : ['start', 'limit']
  const pairs: Pair[] = []
  if (at !== undefined) pairs.push([`pagination[${start}]`, String(at)])
  if (size !== undefined) pairs.push([`pagination[${length}]`, String(size)])
  if (!counts) pairs.push(['pagination[withCount]', 'false'])
  return pairs
}

/** Writes the query as text, without the question mark. */
export function textOf(query: ListQuery, spelling: QuerySpelling): string {
  const pairs: Pair[] = [
    ...(query.locale === undefined ? [] : ([['locale', query.locale]] satisfies Pair[])),
    ...(query.fallback ? ([['fallback', 'true']] satisfies Pair[]) : []),
    ...(query.missing ? ([['missing_locale', query.missing]] satisfies Pair[]) : []),
    ...(query.outdated ? ([['outdated_locale', query.outdated]] satisfies Pair[]) : []),
    ...(query.where ? filterPairs('filters', query.where, spelling) : []),
    ...(query.search === undefined ? [] : ([['_q', query.search]] satisfies Pair[])),
    ...(query.sort.length > 0 ? sortPairs(query.sort, spelling) : []),
    ...pagePairs(query.page),
  ]
  return pairs
    .map(([key, value]) => `${spelling.encodesBrackets ? encodeURIComponent(key) : key}=${encodeURIComponent(value)}`)
    .join('&')
}

/** Tells whether a query is within its limits: 8 KB, 12 brackets, 300 parameters. */
export function isWithinLimits(text: string): boolean {
  const pairs = text.split('&')
  const brackets = (pair: string) => (decodeURIComponent(pair.slice(0, pair.indexOf('='))).match(/\[/g) ?? []).length
  return text.length <= 8_192 && pairs.length <= 300 && pairs.every((pair) => brackets(pair) <= 12)
}

/** Returns the number of comparisons in a filter; a query may have 30. */
export function comparisonsOf(filter: Filter): number {
  const weightOfTest = (test: Test): number =>
    test.kind === 'is'
      ? 1
      : test.kind === 'not'
        ? weightOfTest(test.test)
        : test.tests.reduce((sum, partTest) => sum + weightOfTest(partTest), 0)
  switch (filter.kind) {
    case 'not':
      return comparisonsOf(filter.part)
    case 'linked':
      return comparisonsOf(filter.some)
    case 'column':
      return weightOfTest(filter.test)
    case 'targets':
    case 'empty':
      return 1
    default:
      return filter.parts.reduce((sum, partFilter) => sum + comparisonsOf(partFilter), 0)
  }
}
