/**
 * Parses JSON bodies: one media type, parsed once, bounded,
 * and free of text that cannot be stored (checklist §3).
 */
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbiddenKeys, isBrokenText } from './text.ts'

const maxDepth = 32
const maxKeys = 1_000
/** Maximum size of a JSON body: 1 MB. */
export const bodyLimit = 1_048_576

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The maximum number of keys in a JSON body, where a route accepts many items. */
    maxKeys?: number
  }
}

const mediaType = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body.
 *
 * @returns The value; undefined for an empty body, which some clients send with DELETE.
 * @throws Refusals of the catalogue.
 */
export function parseJson(bytes: Uint8Array, keys = maxKeys): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw fault('request.json')
  }
  inspectJson(value, keys)
  return value
}

/**
 * Walks through a JSON value without recursion, because a body of a megabyte can be nested half a million
 * times.
 */
function inspectJson(root: unknown, maxKeyCount: number): void {
  const openValues: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }]
  let keys = 0
  for (let item = openValues.pop(); item !== undefined; item = openValues.pop()) {
    const { value, depth } = item
    if (typeof value === 'string') {
      if (isBrokenText(value)) throw fault('request.text')
      continue
    }
    if (typeof value !== 'object' || value === null) continue
    if (depth > maxDepth) throw fault('request.too-deep')
    if (Array.isArray(value)) {
      for (const innerValue of value) openValues.push({ value: innerValue, depth: depth + 1 })
      continue
    }
    for (const [key, nestedValue] of Object.entries(value)) {
      if (forbiddenKeys.has(key)) throw fault('request.forbidden-key', { params: { key } })
      if (isBrokenText(key)) throw fault('request.text')
      keys += 1
      if (keys > maxKeyCount) throw fault('request.too-many-keys')
      openValues.push({ value: nestedValue, depth: depth + 1 })
    }
  }
}

/** Tells whether the request names a media type but has no body. */
const isEmpty = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] === '0' && headers['transfer-encoding'] === undefined

/** Makes the JSON parser the only body parser of the application; other media types are refused with 415. */
export function registerJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    try {
      if (!mediaType.test(request.headers['content-type'] ?? '')) throw fault('request.media-type')
      const { maxKeys: keys } = request.routeOptions.config
      done(null, parseJson(typeof body === 'string' ? Buffer.from(body) : body, keys))
    } catch (error) {
      done(error instanceof Error ? error : new Error('The body could not be read'))
    }
  })
  // Clients with axios send the media type of a form with a POST without a body, such as signing out.
  app.addContentTypeParser('application/x-www-form-urlencoded', (request, _payload, done) => {
    done(isEmpty(request) || request.is404 ? null : fault('request.media-type'))
  })
}
