/** Reads a list query that is sent in a body, within the limits of a query string (checklist §3). */
import { queryLimits } from '../../http/query-string.ts'
import { badParameter, isObject, tooLargeFault } from './context.ts'
import type { QueryTree } from './parse-query.ts'

/**
 * Converts the query of a body to the form that the parser of query strings returns: numbers and booleans as
 * text, without nulls. The limits of a query string apply, because a body could contain far more conditions
 * than one statement should.
 *
 * @param value - The query of the body.
 * @param keys - The allowed keys.
 * @throws 400 for other keys, and for a query that is longer, deeper or larger than a query string can be.
 */
export function readBodyQuery(value: unknown, keys: readonly string[]): QueryTree {
  if (!isObject(value)) throw badParameter('query')
  const presentEntries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null)
  const unknownEntry = presentEntries.find(([key]) => !keys.includes(key))
  if (unknownEntry) throw badParameter(unknownEntry[0])
  const { length, depth, parameters } = queryLimits
  let [letters, count] = [0, 0]
  const takeText = (text: string) => {
    letters += text.length
    if (letters > length) throw tooLargeFault(`more than ${length} characters`)
    return text
  }
  const toQueryText = (item: unknown, level: number): unknown => {
    if (level > depth) throw tooLargeFault(`more than ${depth} levels`)
    const isNode = typeof item === 'object' && item !== null
    if (!isNode || Object.keys(item).length === 0) count += 1
    if (count > parameters) throw tooLargeFault(`more than ${parameters} parameters`)
    if (Array.isArray(item)) return item.map((element) => toQueryText(element, level + 1))
    if (isObject(item))
      return Object.fromEntries(
        Object.entries(item).map(([key, propertyValue]) => [takeText(key), toQueryText(propertyValue, level + 1)]),
      )
    if (typeof item === 'number' || typeof item === 'boolean') return takeText(String(item))
    return typeof item === 'string' ? takeText(item) : item
  }
  return Object.fromEntries(presentEntries.map(([key, item]) => [key, toQueryText(item, 0)]))
}
