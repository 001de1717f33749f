/** All settings of the server: read once from the environment, checked by one schema, frozen. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'

/** A wrong setting; the message is one sentence for the person who starts the server. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

interface Throttle {
  failures: number
  seconds: number
}

const secondsOf = { s: 1, m: 60, h: 3_600 }

const isAddressRange = (text: string) => {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isOrigin(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.origin === text
}

/** Commas between items; spaces around them do not count. */
const toItems = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const list = (isItem: (item: string) => boolean, error: string) =>
  z
    .string()
    .transform(toItems)
    .refine((items) => items.every(isItem), { error })

const throttleText = 'must look like 10/15m: 1 to 10000 failures in 1 second to 24 hours (s, m, h)'
const throttle = z.string().transform((text, context): Throttle => {
  const [, failures, amount, unit] = /^(\d{1,5})\/(\d{1,5})([smh])$/.exec(text) ?? []
  const read = { failures: Number(failures), seconds: Number(amount) * secondsOf[(unit ?? 's') as 's' | 'm' | 'h'] }
  const isRight = read.failures >= 1 && read.failures <= 10_000 && read.seconds >= 1 && read.seconds <= 86_400
  if (!isRight) context.addIssue({ code: 'custom', message: throttleText })
  return read
})

const password = z
  .string()
  .refine((text) => [...text].length >= 4 && [...text].length <= 16, { error: 'must be between 4 and 16 characters' })

// A key of few different letters can be guessed however long it is.
const isSecret = (text: string) => text.length >= 32 && new Set(text).size >= 8

/** Name → default, description. An empty default means: absent, or worked out as the description says. */
const lines = {
  PORT: ['1337', 'Port to listen on; 0 takes a free one'],
  HOST: ['127.0.0.1', 'Address to listen on'],
  DATA_DIR: ['./data', 'Folder of the embedded database, secrets and snapshots'],
  DATABASE_URL: ['', 'PostgreSQL server (15 or newer) instead of the embedded database'],
  OWNER_EMAIL: ['owner@example.org', 'Account of the first owner; used while there is none'],
  OWNER_PASSWORD: ['', 'Its password, 4 to 16 characters; generated and printed when absent'],
  SEED: [
    '',
    'First content: `demo` (lists, samples, an account per role), `reference` (lists only) or `none`; when absent `demo` with the embedded database and not in production, else `reference`',
  ],
  DEMO_PASSWORD: ['', 'Password of all demo accounts; generated and printed when absent'],
  PUBLIC_URL: ['', 'Address people use, when it is not HOST and PORT; with https browsers are told to stay with it'],
  TIME_ZONE: ['Asia/Tashkent', 'Zone of day limits in reports and of price dates'],
  JWT_SECRET: [
    '',
    'Signing key of at least 32 characters, a former one after a comma; generated into DATA_DIR when absent',
  ],
  CORS_ORIGINS: ['', 'Other origins whose pages may call the API, with commas between'],
  TRUSTED_PROXIES: ['', 'Addresses or ranges of proxies whose X-Forwarded headers count, with commas between'],
  LOGIN_THROTTLE: ['10/15m', 'Failed sign-ins of one account in a time: 1 to 10000 in 1s to 24h'],
  ADDRESS_THROTTLE: ['100/15m', 'Failed sign-ins from one address in a time: 1 to 10000 in 1s to 24h'],
  LOG_LEVEL: ['info', 'Least level that is logged: trace, debug, info, warn, error, fatal or silent'],
  NODE_ENV: [
    'development',
    '`production` refuses demo content and asks for a signing key of your own with DATABASE_URL',
  ],
} as const satisfies Record<string, readonly [preset: string, description: string]>

type Name = keyof typeof lines

/** The table of settings, for the README and the test that compares it. */
export const settingLines = Object.entries(lines).map(([name, [preset, description]]) => ({
  name,
  preset,
  description,
}))

const schema = z.object({
  PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
      error: 'must be a port number from 0 to 65535',
    })
    .transform(Number),
  HOST: z.string(),
  DATA_DIR: z.string().transform((text) => resolve(text)),
  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an address like postgresql://user:password@host:5432/database',
    })
    .optional(),
  OWNER_EMAIL: z.email({ error: 'must be an e-mail address' }),
  OWNER_PASSWORD: password.optional(),
  SEED: z.enum(['demo', 'reference', 'none'], { error: 'must be demo, reference or none' }).optional(),
  DEMO_PASSWORD: password.optional(),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, { error: 'must be an address like https://dala.example.org, without a path' })
    .optional(),
  TIME_ZONE: z.string().regex(/^[A-Za-z]+([/_+-][A-Za-z0-9]+)*$/, { error: 'must be a time zone like Asia/Tashkent' }),
  JWT_SECRET: z
    .string()
    .transform(toItems)
    .refine((items) => items.length > 0 && items.every(isSecret), {
      error: 'must have at least 32 characters, 8 of them different',
    })
    .optional(),
  CORS_ORIGINS: list(isOrigin, 'must be a list of origins like https://example.org, with commas between').optional(),
  TRUSTED_PROXIES: list(
    isAddressRange,
    'must be a list of addresses or ranges like 10.0.0.0/8, with commas between',
  ).optional(),
  LOGIN_THROTTLE: throttle,
  ADDRESS_THROTTLE: throttle,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    error: 'must be trace, debug, info, warn, error, fatal or silent',
  }),
  NODE_ENV: z.enum(['production', 'development', 'test'], { error: 'must be production, development or test' }),
} satisfies Record<Name, z.ZodType>)

export type Settings = ReturnType<typeof present>

/**
 * Reads the settings. In: the environment; empty values count as absent. Out: a frozen object.
 * Throws a SettingsError that names the first wrong one in a sentence.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = settingLines.map(({ name, preset }) => [name, environment[name]?.trim() || preset || undefined])
  const { data, error } = schema.safeParse(Object.fromEntries(given))
  if (error) {
    const [issue] = error.issues
    throw new SettingsError(`The setting ${issue?.path.join('.')} ${issue?.message}.`)
  }
  const settings = present(data)
  if (settings.production && settings.seed === 'demo') {
    throw new SettingsError('The setting SEED must not be demo in production: demo accounts share one password.')
  }
  if (settings.production && settings.databaseUrl !== undefined && settings.jwtSecrets === undefined) {
    throw new SettingsError(
      'The setting JWT_SECRET is needed in production with DATABASE_URL: all instances must sign alike.',
    )
  }
  return settings
}

function present(data: z.output<typeof schema>) {
  const production = data.NODE_ENV === 'production'
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    ownerEmail: data.OWNER_EMAIL,
    ownerPassword: data.OWNER_PASSWORD,
    seed: data.SEED ?? (data.DATABASE_URL === undefined && !production ? 'demo' : 'reference'),
    demoPassword: data.DEMO_PASSWORD,
    publicUrl: data.PUBLIC_URL ?? `http://${data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST}:${data.PORT}`,
    timeZone: data.TIME_ZONE,
    jwtSecrets: data.JWT_SECRET,
    corsOrigins: data.CORS_ORIGINS ?? [],
    trustedProxies: data.TRUSTED_PROXIES ?? [],
    loginThrottle: data.LOGIN_THROTTLE,
    addressThrottle: data.ADDRESS_THROTTLE,
    logLevel: data.LOG_LEVEL,
    production,
  })
}
