/** Security headers of every answer (checklist §9). */
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface HeaderSettings {
  /** With https, browsers are told to stay with it. */
  publicUrl: string
  corsOrigins: readonly string[]
}

const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/** Sets the headers; nothing of the API is ever stored by a cache on the way. */
export async function registerHeaders(app: FastifyInstance, { publicUrl, corsOrigins }: HeaderSettings): Promise<void> {
  const secure = publicUrl.startsWith('https:')
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: corsOrigins.length > 0 ? 'cross-origin' : 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
  })
  const policy = permissions.map((name) => `${name}=()`).join(', ')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('permissions-policy', policy)
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
    done()
  })
  if (corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...corsOrigins],
      credentials: false,
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: ['authorization', 'content-type', 'idempotency-key'],
      exposedHeaders: ['retry-after', 'x-request-id'],
      maxAge: 600,
    })
  }
}
