/** Random query strings for the fuzz proof: valid ones, nearly valid ones, and rubbish. */
import {
  type Field,
  isLink,
  isScalar,
  kindOf,
  operators,
  type Resource,
  resources,
} from '../../packages/model/src/index.ts'
import { type RandomDraws, oddText } from '../lib/draws.ts'

const resourcesByName: Readonly<Record<string, Resource>> = resources

/**
 * Percent-encodes a query as clients do; characters that cannot be encoded become the bytes that an attacker
 * would send.
 */
function encodeQueryText(text: string, draws: RandomDraws): string {
  if (draws.chance(0.02)) return draws.pick(['%', '%z1', '%00', '%ED%A0%80', '%FF', '%u0041', '+', '%25'])
  return encodeURIComponent(text.toWellFormed())
}

const bracketedPath = (path: readonly string[], draws: RandomDraws) =>
  path
    .map((segment, level) => {
      const name = draws.chance(0.9) ? segment : encodeQueryText(segment, draws)
      if (level === 0) return name
      return draws.chance(0.8) ? `[${name}]` : `%5B${name}%5D`
    })
    .join('')

const oddFieldNames = [
  'id',
  'createdAt',
  'updatedAt',
  'locale',
  'localizations',
  'version',
  'password',
  'bogus',
  '*',
  'constructor',
  '__proto__',
  '0',
  '101',
  '',
  'a.b',
]

/** Chooses a random field of a resource, also through links, and returns its path. */
function fieldPath(draws: RandomDraws, resource: Resource | undefined): { path: string[]; field?: Field } {
  if (resource === undefined || draws.chance(0.08)) return { path: [draws.pick(oddFieldNames)] }
  if (draws.chance(0.15)) return { path: [draws.pick(['id', 'createdAt', 'updatedAt', 'locale', 'localizations'])] }
  const [name, field] = draws.pick(Object.entries<Field>(resource.fields))
  if (isLink(field) && draws.chance(0.7)) {
    const innerPath = fieldPath(draws, resourcesByName[field.target])
    return { ...innerPath, path: [name, ...innerPath.path] }
  }
  return { path: [name], field }
}

function makeValue(draws: RandomDraws, field: Field | undefined): string {
  if (draws.chance(0.25)) return oddText(draws)
  switch (field?.kind) {
    case 'int':
    case 'decimal':
      return String(draws.below(100) - 10)
    case 'bool':
      return draws.pick(['true', 'false', '1', 't'])
    case 'date':
      return '2026-03-01'
    case 'dateTime':
      return draws.pick(['2026-03-01T10:00:00.000Z', '2026-03-01'])
    case 'choice':
      return draws.pick(field.values)
    case undefined:
    case 'relation':
    case 'relations':
    case 'picture':
    case 'pictures':
    case 'count':
      return String(draws.below(40))
    default:
      return draws.pick(['a', 'е', 'o', 'ʻ', '%', '_', 'ТЕСТ'])
  }
}

function filter(draws: RandomDraws, resource: Resource | undefined): string {
  const { path, field } = fieldPath(draws, resource)
  const aroundParameter = draws
    .list(draws.below(4) * draws.below(2), () => draws.pick([['$and', '0'], ['$or', '1'], ['$not'], ['$or', '0']]))
    .flat()
  const suitableOperators: readonly string[] = field && isScalar(field) ? kindOf(field).operators : operators
  const operator = draws.chance(0.2)
    ? []
    : [draws.pick(draws.chance(0.9) ? suitableOperators : ['$bogus', '$not', '$or', '$and', '$', 'eq', '$between'])]
  const negation = draws.chance(0.1) ? ['$not'] : []
  const count =
    operator[0] === '$between' ? 2 : operator[0] === '$in' ? 1 + draws.below(draws.chance(0.05) ? 130 : 5) : 1
  const listSuffix = count > 1 ? draws.pick([['0'], [''], []]) : []
  const key = bracketedPath(['filters', ...aroundParameter, ...path, ...negation, ...operator, ...listSuffix], draws)
  return draws.list(count, () => `${key}=${encodeQueryText(makeValue(draws, field), draws)}`).join('&')
}

function populate(draws: RandomDraws, resource: Resource | undefined): string {
  const links = Object.entries<Field>(resource?.fields ?? {}).filter(([, field]) => isLink(field))
  const [name, field] =
    links.length > 0 && draws.chance(0.9) ? draws.pick(links) : [draws.pick(oddFieldNames), undefined]
  const target = field && isLink(field) ? resourcesByName[field.target] : undefined
  switch (draws.below(8)) {
    case 0:
      return 'populate=*'
    case 1:
      return `populate=${draws
        .list(1 + draws.below(3), () => fieldPath(draws, resource).path.join('.'))
        .map((fieldName) => encodeQueryText(fieldName, draws))
        .join(',')}`
    case 2:
      return `${bracketedPath(['populate', '0'], draws)}=${encodeQueryText(name, draws)}`
    case 3:
      return `${bracketedPath(['populate', name, draws.pick(['sort', 'fields', 'locale', 'bogus'])], draws)}=${encodeQueryText(fieldPath(draws, target).path.join('.'), draws)}`
    case 4:
      return filter(draws, target).replaceAll(/(^|&)filters/g, `$1populate[${name}][filters]`)
    case 5:
      return `populate${`[${name}][populate]`.repeat(1 + draws.below(7))}=*`
    case 6:
      return `${bracketedPath(['populate', name, 'populate', fieldPath(draws, target).path[0] ?? ''], draws)}=true`
    default:
      return `${bracketedPath(['populate', name], draws)}=${draws.pick(['true', '*', 'false', 'x', ''])}`
  }
}

function sort(draws: RandomDraws, resource: Resource | undefined): string {
  const parts = draws.list(1 + draws.below(3), () => {
    const path = fieldPath(draws, resource).path.join('.')
    return path + draws.pick(['', ':asc', ':desc', ':DESC', ':bogus', ':'])
  })
  const key = draws.pick(['sort', 'sort', 'sort[0]', 'sort[]', 'sort[x]', 'sort[0][title]', 'sort[title]'])
  return `${key}=${parts.map((sortPart) => encodeQueryText(sortPart, draws)).join(',')}`
}

const pages = [
  '0',
  '1',
  '2',
  '15',
  '100',
  '101',
  '-1',
  '100001',
  '2147483648',
  '1e3',
  '1.5',
  'x',
  '',
  '99999999999999999999',
] as const

function drawRubbish(draws: RandomDraws): string {
  switch (draws.below(10)) {
    case 0:
      return `filters${'[a]'.repeat(10 + draws.below(40))}=1`
    case 1:
      return `_q=${'x'.repeat(draws.pick([100, 4_000, 9_000]))}`
    case 2:
      return draws.list(50 + draws.below(400), () => 'a=1').join('&')
    case 3:
      return draws.pick([
        '%',
        '&&&',
        '=',
        '==',
        '[]',
        '[',
        ']',
        '?',
        '#',
        'filters[',
        'filters]',
        'filters[[[',
        'populate[][][]',
        '&=',
      ])
    case 4:
      return `${draws.pick(['filters', 'sort', 'populate', 'fields', 'pagination', 'locale', '_q'])}[]=${oddEncoded(draws)}`
    case 5:
      return `${draws.pick(['filters', 'sort', 'populate', 'fields', 'pagination', 'locale'])}=${oddEncoded(draws)}`
    case 6:
      return `filters[__proto__][x]=1&constructor[prototype]=2`
    case 7:
      return `pagination=5&pagination[page]=1`
    case 8:
      return `filters[id]=1&filters[id][$in]=2&filters[id][$eq][0]=3`
    default:
      return `${encodeURIComponent(oddText(draws).toWellFormed())}=${oddEncoded(draws)}`
  }
}

const oddEncoded = (draws: RandomDraws) => encodeQueryText(oddText(draws), draws)

const locales = ['en', 'ru', 'uz', 'kaa', 'all', 'de', '', '*', 'en-US', '%00'] as const

/**
 * Makes a random query string.
 *
 * @param draws - The random generator.
 * @param resource - The resource of the route, if any.
 * @param documentedNames - The query keys that the route documents.
 * @returns The query without its question mark.
 */
export function randomQuery(
  draws: RandomDraws,
  resource: Resource | undefined,
  documentedNames: readonly string[],
): string {
  const makeParameter = (): string => {
    switch (draws.below(11)) {
      case 0:
      case 1:
        return filter(draws, resource)
      case 2:
        return sort(draws, resource)
      case 3:
        return populate(draws, resource)
      case 4:
        return `${draws.pick(['fields', 'fields[0]', 'fields[]', 'fields[a]'])}=${encodeQueryText(fieldPath(draws, resource).path.join('.'), draws)}`
      case 5:
        return `pagination[${draws.pick(['page', 'pageSize', 'start', 'limit', 'withCount', 'x'])}]=${draws.pick(pages)}`
      case 6:
        return `${draws.pick(['start', 'limit', '_q', 'q'])}=${draws.pick(pages)}`
      case 7:
        return `locale=${draws.pick(locales)}`
      case 8:
        return `${draws.pick(['fallback', 'missing_locale', 'outdated_locale', 'if_unused'])}=${draws.pick([...locales, 'true', 'false'])}`
      case 9: {
        if (documentedNames.length === 0) return `locale=${draws.pick(locales)}`
        const value = draws.chance(0.5) ? draws.pick(pages) : makeValue(draws, undefined)
        return `${draws.pick(documentedNames)}=${encodeQueryText(draws.chance(0.2) ? '2026-03-01' : value, draws)}`
      }
      default:
        return draws.chance(0.3) ? drawRubbish(draws) : filter(draws, resource)
    }
  }
  return draws.list(draws.below(5), makeParameter).join('&') + (draws.chance(0.05) ? '&' : '')
}
