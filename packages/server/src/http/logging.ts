/** The log: one JSON line per request, without secrets and contacts of people (checklist §10). */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'

const censoredText = '[redacted]'
const secretNames = ['authorization', 'cookie', 'password', 'passwordConfirmation', 'currentPassword', 'token', 'jwt']
const personalNames = ['identifier', 'email', 'phone']

/** Paths of secret keys in a logged object, down to the third level. */
const secretPaths = [...secretNames, ...personalNames].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

type Shape = readonly [RegExp, string]

// Patterns of secrets that are removed from every log line, in case they are logged by mistake.
const secretShapes: readonly Shape[] = [
  // Each pattern of a secret begins at a word boundary or has a bounded length, so that a line is scanned
  // once.
  [/(?<![\w-])(?=[\w-]*eyJ)[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\$argon2\w*\$[^\s'"\\]+/g, '[hash]'],
  [/[^\s"'(<=\\@]{1,64}@[^\s"')>\\]+/g, '[e-mail]'],
]
// Messages of a database quote values; other lines contain times, which look like telephone numbers.
const errorShapes: readonly Shape[] = [...secretShapes, [/(?:\+|\b)\d[\d ()-]{7,}\d\b/g, '[number]']]

/** Maximum number of characters in a logged message and in a stack. */
const maxLengths = { message: 2_000, stack: 8_000 }

/**
 * Returns the beginning of a long text, up to a space: half an address would not be recognised and removed.
 */
function shortenText(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.slice(0, length)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'), 0))}…`
}

const scrubSecrets = (text: string, shapes = errorShapes) =>
  shapes.reduce((scrubbedText, [shape, name]) => scrubbedText.replace(shape, name), text)

/** An error in the log, without its other properties, in which drivers store the values of a statement. */
function presentError(error: unknown): {
  type: string
  message: string
  stack: string
  code?: string
  cause?: string
} {
  if (!(error instanceof Error))
    return { type: typeof error, message: scrubSecrets(shortenText(String(error), maxLengths.message)), stack: '' }
  return {
    type: error.name,
    message: scrubSecrets(shortenText(error.message, maxLengths.message)),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    stack: scrubSecrets(shortenText(error.stack ?? '', maxLengths.stack)),
    ...(error.cause instanceof Error && {
      cause: scrubSecrets(shortenText(`${error.cause.name}: ${error.cause.message}`, maxLengths.message)),
    }),
  }
}

export interface LogTarget {
  level: string
  /** Stream that receives log lines; standard output when absent. */
  stream?: { write(line: string): void }
}

/** Milliseconds for which log lines are collected. A killed process loses the collected lines. */
const batchLines = 20

/**
 * Standard output with one write for all collected lines: a
 * write waits for the reader and costs more than its line.
 */
function standardOutput(): { write(line: string): void } {
  let lines = ''
  const flushLines = () => {
    const text = lines
    lines = ''
    if (text !== '') process.stdout.write(text)
  }
  process.once('exit', flushLines)
  return {
    write: (line) => {
      if (lines === '') setTimeout(flushLines, batchLines).unref()
      lines += line
    },
  }
}

/** The options of the application's logger. */
export function loggerOptions({
  level,
  stream = standardOutput(),
}: LogTarget): Exclude<FastifyServerOptions['logger'], undefined> {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretPaths, censor: censoredText },
    serializers: { err: presentError },
    hooks: { streamWrite: (line: string) => scrubSecrets(line, secretShapes) },
    stream,
  }
}

/**
 * Writes one line per answered request. Addresses of pages
 * and queries are left out, because people type into them.
 */
export function registerRequestLog(app: FastifyInstance): void {
  // The log line of a request has five known fields; searching them for secrets would double its cost.
  const log = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    // Monitors request /health and /ready every few seconds, so these requests are logged at the debug level.
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
