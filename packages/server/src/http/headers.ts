/** Security headers of every answer (checklist §9). */
import { Socket } from 'node:net'
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { IncomingMessage, ServerResponse } from './node-http.ts'

export interface HeaderSettings {
  /** Public address; with https, browsers receive the order to use only https. */
  publicUrl: string
  corsOrigins: readonly string[]
}

const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/** Headers of resumable uploads (contract §10). */
const resumableHeaders = {
  sentHeaders: ['tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset'],
  answeredHeaderNames: ['location', 'tus-resumable', 'upload-expires', 'upload-file', 'upload-length', 'upload-offset'],
}

/** The headers of helmet, computed once because they are equal for all answers. */
function headersOf(options: HelmetOptions) {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(options)(request, response, () => {})
  return response.getHeaders()
}

/**
 * Sets the security headers of an answer. Caches between the server and the client must not store API
 * answers.
 */
export async function registerHeaders(app: FastifyInstance, { publicUrl, corsOrigins }: HeaderSettings): Promise<void> {
  const isSecure = publicUrl.startsWith('https:')
  const fixedHeaders = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        // The policy lets videos come from any https file, and from the players of the two sites that the
        // forms support.
        mediaSrc: ["'self'", 'https:'],
        frameSrc: ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        // No text becomes HTML in a page: the only policy of the panel is for inert documents.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: corsOrigins.length > 0 ? 'cross-origin' : 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
  })
  fixedHeaders['permissions-policy'] = permissions.map((name) => `${name}=()`).join(', ')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixedHeaders)
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
    done()
  })
  if (corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...corsOrigins],
      credentials: false,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'authorization',
        'content-type',
        'idempotency-key',
        'x-socket-id',
        'x-view-as',
        ...resumableHeaders.sentHeaders,
      ],
      exposedHeaders: ['retry-after', 'x-request-id', ...resumableHeaders.answeredHeaderNames],
      maxAge: 600,
    })
  }
}
