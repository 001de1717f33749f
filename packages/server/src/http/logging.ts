/** What the log says: one JSON line a request, and never a secret or a person's contacts (checklist §10). */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'

const censored = '[redacted]'
const secretNames = ['authorization', 'cookie', 'password', 'passwordConfirmation', 'currentPassword', 'token', 'jwt']
const personalNames = ['identifier', 'email', 'phone']

/** Wherever such a key stands in a logged object, down to the third level. */
const paths = [...secretNames, ...personalNames].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

type Shape = readonly [RegExp, string]

// Whatever is logged by mistake: these shapes are taken out of every line.
const secretShapes: readonly Shape[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\$argon2\w*\$[^\s'"\\]+/g, '[hash]'],
  [/[^\s"'(<=\\]+@[^\s"')>\\]+/g, '[e-mail]'],
]
// Messages of a database quote values; a line has times, which look like telephone numbers.
const errorShapes: readonly Shape[] = [...secretShapes, [/(?:\+|\b)\d[\d ()-]{7,}\d\b/g, '[number]']]

const scrub = (text: string, shapes = errorShapes) =>
  shapes.reduce((scrubbed, [shape, name]) => scrubbed.replace(shape, name), text)

/** An error as the log shows it: never its other properties, where drivers keep the values of a statement. */
function presentError(error: unknown): {
  type: string
  message: string
  stack: string
  code?: string
  cause?: string
} {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)), stack: '' }
  return {
    type: error.name,
    message: scrub(error.message),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    stack: scrub(error.stack ?? ''),
    ...(error.cause instanceof Error && { cause: scrub(`${error.cause.name}: ${error.cause.message}`) }),
  }
}

export interface LogTarget {
  level: string
  /** Where lines go; standard output when absent. */
  stream?: { write(line: string): void }
}

/** The logger's options for the application. */
export function loggerOptions({ level, stream }: LogTarget): Exclude<FastifyServerOptions['logger'], undefined> {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths, censor: censored },
    serializers: { err: presentError },
    hooks: { streamWrite: (line: string) => scrub(line, secretShapes) },
    ...(stream && { stream }),
  }
}

/** Writes one line when a request has been answered. Addresses of pages and queries are left out: people type into them. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    // Watchers ask these every few seconds.
    const isProbe = request.routeOptions.url === '/health' || request.routeOptions.url === '/ready'
    request.log[isProbe ? 'debug' : 'info'](
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
      },
      'request',
    )
    done()
  })
}
