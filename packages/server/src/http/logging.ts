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
  // Each begins where a word begins, or has a bounded length: a line is read once, whatever is in it.
  [/(?<![\w-])(?=[\w-]*eyJ)[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\$argon2\w*\$[^\s'"\\]+/g, '[hash]'],
  [/[^\s"'(<=\\@]{1,64}@[^\s"')>\\]+/g, '[e-mail]'],
]
// Messages of a database quote values; a line has times, which look like telephone numbers.
const errorShapes: readonly Shape[] = [...secretShapes, [/(?:\+|\b)\d[\d ()-]{7,}\d\b/g, '[number]']]

/** Letters of a message that are shown, and of the places that an error came from. */
const longest = { message: 2_000, stack: 8_000 }

/** The beginning of a long text, up to a space: half an address would not be known for one. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.slice(0, length)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'), 0))}…`
}

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
  if (!(error instanceof Error))
    return { type: typeof error, message: scrub(cut(String(error), longest.message)), stack: '' }
  return {
    type: error.name,
    message: scrub(cut(error.message, longest.message)),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    stack: scrub(cut(error.stack ?? '', longest.stack)),
    ...(error.cause instanceof Error && {
      cause: scrub(cut(`${error.cause.name}: ${error.cause.message}`, longest.message)),
    }),
  }
}

export interface LogTarget {
  level: string
  /** Where lines go; standard output when absent. */
  stream?: { write(line: string): void }
}

/** How long lines are collected; what a killed process takes with it. */
const collectedFor = 20

/** Standard output, written to once for all lines of a moment: it waits for the reader, and a write costs more than its line. */
function standardOutput(): { write(line: string): void } {
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text !== '') process.stdout.write(text)
  }
  process.once('exit', flush)
  return {
    write: (line) => {
      if (lines === '') setTimeout(flush, collectedFor).unref()
      lines += line
    },
  }
}

/** The logger's options for the application. */
export function loggerOptions({
  level,
  stream = standardOutput(),
}: LogTarget): Exclude<FastifyServerOptions['logger'], undefined> {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths, censor: censored },
    serializers: { err: presentError },
    hooks: { streamWrite: (line: string) => scrub(line, secretShapes) },
    stream,
  }
}

/** Writes one line when a request has been answered. Addresses of pages and queries are left out: people type into them. */
export function registerRequestLog(app: FastifyInstance): void {
  // Five fields that are ours: to look through them for secrets would be half of what a line costs.
  const log = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    // Watchers ask these every few seconds.
    const isProbe = request.routeOptions.url === '/health' || request.routeOptions.url === '/ready'
    log[isProbe ? 'debug' : 'info'](
      {
        reqId: request.id,
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
