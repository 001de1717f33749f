/** Compresses answers while they are sent, with brotli or gzip as the client accepts them. */
import { pipeline, Readable, type Transform } from 'node:stream'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
  type InputType as Bytes,
} from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false` for answers whose bytes must stay as they are, because tags or ranges name them. */
    compress?: false
  }
}

/** Encodings of the server, the preferred one first. */
export type Encoding = 'br' | 'gzip'
const encodings: Encoding[] = ['br', 'gzip']

/** Bytes of the least answer that is compressed. */
const minBytes = 1_024
/** Bytes up to which an answer is compressed at once: another thread would take longer for so few. */
const maxBytesAtOnce = 8_192
/** The best quality, 11, takes a hundred times as long as this one. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressors: Readonly<Record<Encoding, { atOnce: (body: Bytes) => Buffer; open: () => Transform }>> = {
  br: { atOnce: (body) => brotliCompressSync(body, brotliOptions), open: () => createBrotliCompress(brotliOptions) },
  gzip: { atOnce: (body) => gzipSync(body), open: () => createGzip() },
}

/** Types of answers that become smaller: text, JSON, XML and SVG; not pictures, videos, archives and sheets. */
const compressibleTypes = /^text\/(?!event-stream)|[/+](?:json|xml)(?:;|$)|octet-stream(?:;|$)/u

/**
 * Returns the best encoding that a client accepts.
 *
 * @param request - The request.
 * @returns `undefined` for a client that accepts none.
 * @see RFC 9110, section 12.5.3
 */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const header = headers['accept-encoding']
  if (header === undefined) return undefined
  // Clients without a preference get what every client can read; `x-gzip` is an old name of it.
  return (
    negotiate(
      String(header)
        .toLowerCase()
        .replaceAll(/\*|x-gzip/gu, 'gzip'),
      encodings,
    ) ?? undefined
  )
}

/** Adds `accept-encoding` to the headers by which caches distinguish answers, and returns the answer. */
export function varyByEncoding(reply: FastifyReply): FastifyReply {
  const names = [reply.getHeader('vary') ?? []].flat().join(', ')
  if (names.includes('accept-encoding')) return reply
  return reply.header('vary', names === '' ? 'accept-encoding' : `${names}, accept-encoding`)
}

const isCompressible = (reply: FastifyReply): boolean =>
  !reply.hasHeader('content-encoding') &&
  !reply.hasHeader('content-range') &&
  compressibleTypes.test(String(reply.getHeader('content-type') ?? 'application/json'))

const compressAnswer: onSendHookHandler = (request, reply, payload, done) => {
  const isStream = payload instanceof Readable
  const isBuffered = typeof payload === 'string' || Buffer.isBuffer(payload)
  const size = isBuffered ? Buffer.byteLength(payload) : undefined
  const encoding =
    (isStream || (size !== undefined && size >= minBytes)) && isCompressible(reply)
      ? acceptedEncoding(request)
      : undefined
  if (encoding === undefined) return done(null, payload)
  varyByEncoding(reply)
  reply.header('content-encoding', encoding)
  const compressor = compressors[encoding]
  if (isBuffered && size !== undefined && size <= maxBytesAtOnce) {
    const body = compressor.atOnce(payload)
    reply.header('content-length', body.length)
    return done(null, body)
  }
  reply.removeHeader('content-length')
  const compressedStream = compressor.open()
  if (isStream) {
    // A source that breaks off before its first byte is answered with an error, which is not compressed.
    payload.once('error', () => void reply.removeHeader('content-encoding'))
    // The error ends the compressed stream too, and the framework reports it there.
    pipeline(payload, compressedStream, () => {})
  } else compressedStream.end(payload)
  done(null, compressedStream)
}

/**
 * Compresses the answers of all routes that are registered from now on.
 *
 * @param app - The application.
 */
export function registerCompression(app: FastifyInstance): void {
  // As a hook of each route it comes after the hooks of the application, which read the answer as it is.
  app.addHook('onRoute', (route) => {
    if (route.config?.compress !== false) route.onSend = [route.onSend ?? [], compressAnswer].flat()
  })
}
