/** Parses query strings with brackets into objects without a prototype (contract §6, checklist §3). */
import { fault } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import qs from 'qs'
import { forbiddenKeys, isBrokenText } from './text.ts'

/**
 * The maximum length of a query, depth of a key, items of a list, and number of parameters (checklist §3).
 */
export const queryLimits = { length: 8_192, depth: 12, items: 100, parameters: 300 } as const
const { length: maxLength, depth: maxDepth, items: maxItems, parameters: maxParameters } = queryLimits

const tooLargeFault = (subject: string) => fault('query.too-large', { params: { what: subject } })

/** Decodes one key or value of a query string; unlike the parser's own decoder it refuses broken escapes. */
function decodePart(text: string): string {
  let decodedText: string
  try {
    decodedText = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw fault('request.header')
  }
  if (isBrokenText(decodedText)) throw fault('request.text')
  return decodedText
}

/** Returns the names between the brackets of a query key: `a[b][c]_eq` → a, b, c, _eq. */
function checkKey(key: string): void {
  const segments = key.split(/[[\]]+/)
  const forbiddenSegment = segments.find((segment) => forbiddenKeys.has(segment))
  if (forbiddenSegment !== undefined) throw fault('request.forbidden-key', { params: { key: forbiddenSegment } })
  if ((key.match(/\[/g)?.length ?? 0) > maxDepth) throw tooLargeFault(`more than ${maxDepth} brackets`)
}

/**
 * Parses the text after the question mark of an address. Percent-encoded brackets count as brackets;
 * `a[]=1&a[]=2`, `a[0]=1` and `a=1&a=2` are lists; text after the last bracket of a key is dropped
 * (`filters[a]_eq` is `filters[a]`).
 *
 * @throws 400 for everything that is too large, too deep or cannot be decoded: nothing is cut silently.
 */
export function parseQueryString(text: string): Record<string, unknown> {
  const cachedQuery = parsedQueries.get(text)
  if (cachedQuery) return cachedQuery
  const query = parseText(text)
  if (text.length <= rememberedLength) parsedQueries.set(text, freezeDeep(query))
  return query
}

/** A cache of parsed query strings, limited in number and length. */
const parsedQueries = new LRUCache<string, Record<string, unknown>>({ max: 500 })
const rememberedLength = 512

/** Freezes a parsed query that is returned more than once. */
function freezeDeep<T extends object>(query: T): T {
  for (const nestedValue of Object.values(query))
    if (typeof nestedValue === 'object' && nestedValue !== null) freezeDeep(nestedValue)
  return Object.freeze(query)
}

function parseText(text: string): Record<string, unknown> {
  if (text.length > maxLength) throw tooLargeFault(`more than ${maxLength} characters`)
  const pairs = text.split('&').filter((pair) => pair !== '')
  if (pairs.length === 0) return Object.create(null) as Record<string, unknown>
  if (pairs.length > maxParameters) throw tooLargeFault(`more than ${maxParameters} parameters`)
  try {
    return qs.parse(pairs.join('&'), {
      depth: maxDepth,
      strictDepth: true,
      arrayLimit: maxItems,
      parameterLimit: maxParameters,
      throwOnLimitExceeded: true,
      plainObjects: true,
      decoder: (encodedPart, _default, _charset, kind) => {
        const decodedPart = decodePart(encodedPart)
        if (kind === 'key') checkKey(decodedPart)
        return decodedPart
      },
    })
  } catch (error) {
    if (error instanceof RangeError) throw tooLargeFault(`more than ${maxItems} values or ${maxDepth} brackets`)
    throw error
  }
}

/** Returns the text after the first question mark of an address. */
export function queryTextOf(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return url.slice(start + 1, end < 0 ? undefined : end)
}

/**
 * Gives each request its parsed query. It is a hook, because a throw inside the router would end the process.
 */
export function registerQueryString(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      request.query = parseQueryString(queryTextOf(request.raw.url ?? ''))
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error('The query could not be read'))
    }
  })
}
