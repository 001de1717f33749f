/** All settings of the server: read once from the environment, checked by one schema, frozen. */
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import {
  longestLimitSeconds,
  mostFailures,
  type OrganisationSetting,
  organisationSettings,
  readWorkingHours,
  type WorkingHours,
} from '@dala/model'
import * as z from 'zod'

/** Error of an invalid setting; the message is one sentence for the person who starts the server. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

export type PasswordPolicy = 'spec' | 'strict'

/** Kinds of content of a new database; each kind includes the next one. */
export const seedKinds = ['demo', 'samples', 'reference', 'none'] as const

/**
 * Lengths of a password in code points: the rule of the spec, and the recommendation where a password is the
 * only protection (checklist §1).
 */
export const passwordLengths: Readonly<Record<PasswordPolicy, { min: number; max: number }>> = {
  spec: { min: 4, max: 16 },
  strict: { min: 15, max: 64 },
}

interface Throttle {
  failures: number
  seconds: number
}

const secondsOf = { s: 1, m: 60, h: 3_600 }

const isAddressRange = (text: string) => {
  const [address = '', bits, ...extraParts] = text.split('/')
  const version = isIP(address)
  if (version === 0 || extraParts.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isOrigin(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.origin === text
}

/** Splits a setting at commas; spaces around items do not count. */
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

/** Schema of a service's address, to which a path can be appended: no user, no query. */
function isServiceAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
}

const isWholeNumber = (text: string) => /^\d{1,9}$/.test(text)
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => isWholeNumber(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
const portNumber = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: 'must be a port number from 0 to 65535',
  })
  .transform(Number)
const megabytes = (min: number, max: number) => wholeNumber(min, max).transform((amount) => amount * 1_048_576)

const throttleText = 'must look like 10/15m: 1 to 10000 failures in 1 second to 24 hours (s, m, h)'
const throttle = z.string().transform((text, context): Throttle => {
  const [, failures, amount, unit] = /^(\d{1,5})\/(\d{1,5})([smh])$/.exec(text) ?? []
  const readThrottle = {
    failures: Number(failures),
    seconds: Number(amount) * secondsOf[(unit ?? 's') as 's' | 'm' | 'h'],
  }
  const isRight =
    readThrottle.failures >= 1 &&
    readThrottle.failures <= mostFailures &&
    readThrottle.seconds >= 1 &&
    readThrottle.seconds <= longestLimitSeconds
  if (!isRight) context.addIssue({ code: 'custom', message: throttleText })
  return readThrottle
})

/** Limits of an amount of writes in one to three periods. */
export type Budget = readonly Readonly<{ amount: number; seconds: number }>[]

const budgetText = 'must look like 60/1m, 2000/24h: one to three of 1 to 1000000 in 1 second to 24 hours (s, m, h)'
const budget = z.string().transform((text, context): Budget => {
  const windows = toItems(text).map((item) => {
    const [, amount, time, unit] = /^(\d{1,7})\/(\d{1,5})([smh])$/.exec(item) ?? []
    return { amount: Number(amount), seconds: Number(time) * secondsOf[(unit ?? 's') as 's' | 'm' | 'h'] }
  })
  const isRight = ({ amount, seconds }: Budget[number]) =>
    amount >= 1 && amount <= 1_000_000 && seconds >= 1 && seconds <= 86_400
  const isWhole = windows.length >= 1 && windows.length <= 3 && windows.every(isRight)
  if (!isWhole) context.addIssue({ code: 'custom', message: budgetText })
  return windows
})

/** Pattern of a sender: `Dala <no-reply@example.org>` or the address alone. */
const isSender = (text: string) => z.email().safeParse(/^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text).success

// Tells whether a key is hard to guess: long, and with many different characters.
const isSecret = (text: string) => text.length >= 32 && new Set(text).size >= 8
const keys = z
  .string()
  .transform(toItems)
  .refine((items) => items.length > 0 && items.every(isSecret), {
    error: 'must have at least 32 characters, 8 of them different',
  })

/**
 * Settings by name with default and description. An empty default means: absent, or computed as the
 * description says.
 */
const lines = {
  PORT: ['1337', 'Port to listen on; 0 takes a free one'],
  HOST: ['127.0.0.1', 'Address to listen on'],
  DATA_DIR: ['./data', 'Folder of the embedded database, uploads, secrets and snapshots'],
  DATABASE_URL: ['', 'PostgreSQL server (15 or newer) instead of the embedded database'],
  OWNER_EMAIL: ['owner@example.org', 'Account of the first owner; used while there is none'],
  OWNER_PASSWORD: ['', 'Its password, as long as PASSWORD_POLICY asks; generated and printed when absent'],
  SEED: [
    '',
    'First content: `demo` (lists, an account per role, fourteen months of a service at work), `samples` (a few records of each kind), `reference` (lists only) or `none`; when absent `demo` with the embedded database and not in production, else `reference`',
  ],
  SEED_DATE: ['', 'Day before which the samples took place, `2026-04-05`; the day of the first start when absent'],
  DEMO_PASSWORD: ['', 'Password of all demo accounts; generated and printed when absent'],
  PUBLIC_URL: ['', 'Address people use, when it is not HOST and PORT; with https browsers are told to stay with it'],
  TIME_ZONE: ['Asia/Tashkent', 'Zone of day limits in reports, of price dates and of WORKING_HOURS'],
  WORKING_HOURS: [
    '1-6 09:00-18:00',
    'Hours in which the time for a reply counts: days of the week from Monday (1) to Sunday (7), and times; several with commas between',
  ],
  JWT_SECRET: [
    '',
    'Signing key of at least 32 characters, a former one after a comma; generated into DATA_DIR when absent',
  ],
  TWO_STEP_KEY: [
    '',
    'Key that encrypts the secrets of second steps, of at least 32 characters, a former one after a comma; when absent JWT_SECRET with DATABASE_URL, else generated into DATA_DIR',
  ],
  CORS_ORIGINS: ['', 'Other origins whose pages may call the API, with commas between'],
  TRUSTED_PROXIES: ['', 'Addresses or ranges of proxies whose X-Forwarded headers count, with commas between'],
  LOGIN_THROTTLE: ['10/15m', 'Failed sign-ins of one account in a time: 1 to 10000 in 1s to 24h'],
  ADDRESS_THROTTLE: [
    '100/15m',
    'Failed sign-ins, or unknown numbers of certificates, from one address in a time: 1 to 10000 in 1s to 24h',
  ],
  REGISTRATION: ['on', 'Whether people may register themselves: `on` or `off`'],
  REGISTER_THROTTLE: ['20/1h', 'Registrations tried from one address in a time: 1 to 10000 in 1s to 24h'],
  FORGOT_THROTTLE: [
    '5/1h',
    'Letters that set a password or confirm an e-mail address, asked for one account in a time: 1 to 10000 in 1s to 24h',
  ],
  LETTER_THROTTLE: ['20/1h', 'Letters asked for from one address in a time: 1 to 10000 in 1s to 24h'],
  WRITE_BUDGET: [
    '60/1m, 2000/24h',
    'Changes of one person below staff in each of up to three times: 1 to 1000000 in 1s to 24h',
  ],
  STAFF_WRITE_BUDGET: ['200000/1m, 1000000/24h', 'The same for one of the staff: 1 to 1000000 in 1s to 24h'],
  ADDRESS_WRITE_BUDGET: [
    '1200/1m, 100000/24h',
    'The same for everybody below staff who comes from one address: 1 to 1000000 in 1s to 24h',
  ],
  INVITE_HOURS: ['72', 'Hours the link of an invitation is good for: 1 to 336'],
  PASSWORD_POLICY: [
    'spec',
    '`spec`: 4 to 16 characters; `strict`: 15 to 64, common ones refused, recommended in production',
  ],
  SMTP_URL: [
    '',
    'Mail server like smtps://user:password@mail.example.org; letters go into DATA_DIR/outbox when absent',
  ],
  MAIL_FROM: ['', 'Sender of letters, `Dala <no-reply@example.org>`; no-reply at the host of PUBLIC_URL when absent'],
  PUSH: ['on', 'Whether notices reach browsers through the push services of their makers: `on` or `off`'],
  AUDIT_DAYS: ['365', 'Days the audit is kept: 30 to 3650'],
  CHAT_TICK_SECONDS: ['20', 'Seconds between two looks at what open chats may have missed: 1 to 60'],
  UPLOAD_FILE_MB: ['10', 'Most megabytes of one uploaded file: 1 to 100'],
  UPLOAD_QUOTA_MB: ['500', 'Most megabytes that one person may upload in all: 1 to 1000000'],
  UPLOAD_QUOTA_FILES: ['5000', 'Most files that one person may upload in all: 1 to 1000000'],
  UPLOAD_VIDEO_MB: ['2048', 'Most megabytes of one video of a lesson: 1 to 16384'],
  UPLOAD_DOCUMENT_MB: ['50', 'Most megabytes of one document: 1 to 1024'],
  UPLOAD_SUBTITLES_MB: ['1', 'Most megabytes of one file of subtitles: 1 to 10'],
  UPLOAD_VIDEO_QUOTA_MB: ['51200', 'Most megabytes of videos that one of the staff may upload in all: 1 to 10000000'],
  UPLOAD_RESERVE_MB: [
    '200',
    'Megabytes of the disk that uploads, and all changes of people below staff, leave free: 0 to 1000000',
  ],
  DRAIN_SECONDS: [
    '0',
    'Seconds in which a stopping server still answers while `/ready` says `draining`, so that a proxy with several instances passes it over: 0 to 60',
  ],
  VIDEO_CHECKS: ['on', 'Whether YouTube and Vimeo are asked if linked videos of lessons can be played: `on` or `off`'],
  S3_ENDPOINT: [
    '',
    'Address of an S3-compatible store for uploaded files instead of DATA_DIR/uploads, https://s3.example.org; set all five or none',
  ],
  S3_BUCKET: ['', 'Its bucket, which must exist'],
  S3_REGION: ['', 'Its region; stores that have none take any word'],
  S3_ACCESS_KEY_ID: ['', 'Key that may read, write, delete and list in that bucket'],
  S3_SECRET_ACCESS_KEY: ['', 'The secret of that key'],
  BACKUP_AT: [
    '',
    'Time of the daily backup in TIME_ZONE like `03:00`, or `off`; when absent 03:00 in production, else `off`',
  ],
  BACKUP_KEEP: [
    '7d,4w,12m',
    'Backups that are kept, by occasion: the newest daily ones (1 to 366), the first of a week (0 to 53) and of a month (0 to 120)',
  ],
  BACKUP_BEFORE_MIGRATION: [
    'on',
    'A copy of a database with data before its migrations, at the places of scheduled backups; `off` migrates without one',
  ],
  BACKUP_FOLDER: [
    '',
    'Folder of scheduled backups; DATA_DIR/backups/scheduled when neither this nor BACKUP_S3_BUCKET is set',
  ],
  BACKUP_S3_BUCKET: ['', 'Bucket of scheduled backups, which must exist'],
  BACKUP_S3_PREFIX: ['dala', 'First part of the names of objects in that bucket'],
  BACKUP_S3_ENDPOINT: ['', 'Address of the store of that bucket; S3_ENDPOINT when absent'],
  BACKUP_S3_REGION: ['', 'Its region; S3_REGION when absent'],
  BACKUP_S3_ACCESS_KEY_ID: ['', 'Key that may read, write, delete and list there; S3_ACCESS_KEY_ID when absent'],
  BACKUP_S3_SECRET_ACCESS_KEY: ['', 'The secret of that key; S3_SECRET_ACCESS_KEY when absent'],
  BACKUP_KEY: [
    '',
    'Key that encrypts backups: 32 random bytes in hexadecimal or base64; without one they are not encrypted. Store it elsewhere: without it they cannot be read',
  ],
  API_DOCS: [
    '',
    'Who may read the document of the API: `open` for everybody, `signed-in`, or `admins`; when absent `signed-in` in production, else `open`',
  ],
  METRICS_PORT: ['', 'Port of the metrics for Prometheus, only `GET /metrics`; no metrics when absent'],
  METRICS_HOST: ['127.0.0.1', 'Address to listen on for METRICS_PORT'],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    '',
    'Address of a collector of OpenTelemetry, http://127.0.0.1:4318, which receives traces by OTLP over HTTP; no traces when absent',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: ['', 'Headers that the collector asks for, `name=value` with commas between'],
  OTEL_SERVICE_NAME: ['dala', 'Name of this installation in traces'],
  OTEL_TRACES_SAMPLER_ARG: ['1', 'Share of the requests, jobs and letters that are traced: 0 to 1'],
  LOG_LEVEL: ['info', 'Least level that is logged: trace, debug, info, warn, error, fatal or silent'],
  NODE_ENV: [
    'development',
    '`production` refuses demo content and asks for a signing key of your own with DATABASE_URL',
  ],
} as const satisfies Record<string, readonly [preset: string, description: string]>

type Name = keyof typeof lines

/** Settings that are secrets, or have one in them. */
const secretNames: readonly Name[] = [
  'DATABASE_URL',
  'OWNER_PASSWORD',
  'DEMO_PASSWORD',
  'JWT_SECRET',
  'TWO_STEP_KEY',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'BACKUP_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
]
/** Settings that say where something is: addresses, ports, folders and stores. */
const placeNames: readonly Name[] = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'PUBLIC_URL',
  'CORS_ORIGINS',
  'TRUSTED_PROXIES',
  'MAIL_FROM',
  'OWNER_EMAIL',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'BACKUP_FOLDER',
  'BACKUP_S3_BUCKET',
  'BACKUP_S3_PREFIX',
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_REGION',
  'METRICS_PORT',
  'METRICS_HOST',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_SERVICE_NAME',
]
const settingNames = Object.keys(lines) as Name[]
const panelVariables = new Set<string>(
  Object.values<OrganisationSetting>(organisationSettings).flatMap(({ variable }) => variable ?? []),
)

/** Settings that only the environment has, with the reason why. */
export const environmentSettings = settingNames
  .filter((name) => !panelVariables.has(name))
  .map((name) => ({
    name,
    reason: secretNames.includes(name)
      ? ('secret' as const)
      : placeNames.includes(name)
        ? ('place' as const)
        : ('start' as const),
  }))

const keepText = 'must look like 7d,4w,12m: 1 to 366 days, 0 to 53 weeks and 0 to 120 months'

/** Numbers of backups that are kept, by their occasion. */
export interface KeptBackups {
  daily: number
  weekly: number
  monthly: number
}

const keptBackups = z.string().transform((text, context): KeptBackups => {
  const [, daily, weekly = '0', monthly = '0'] =
    /^(\d{1,3})d(?:\s*,\s*(\d{1,2})w)?(?:\s*,\s*(\d{1,3})m)?$/.exec(text) ?? []
  const kept = { daily: Number(daily), weekly: Number(weekly), monthly: Number(monthly) }
  const isRight = kept.daily >= 1 && kept.daily <= 366 && kept.weekly <= 53 && kept.monthly <= 120
  if (!isRight) context.addIssue({ code: 'custom', message: keepText })
  return kept
})

/** Reads 32 bytes in hexadecimal or base64; undefined for anything else. */
function readKeyBytes(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 ? bytes : undefined
}

const keyBytes = z.string().transform((text, context): Buffer => {
  const bytes = readKeyBytes(text)
  if (!bytes || new Set(bytes).size < 8)
    context.addIssue({ code: 'custom', message: 'must be 32 random bytes in hexadecimal or base64' })
  return bytes ?? Buffer.alloc(0)
})

/** The table of settings, for the README and the test that compares it. */
export const settingLines = Object.entries(lines).map(([name, [preset, description]]) => ({
  name,
  preset,
  description,
}))

const storeAddress = z.string().refine(isServiceAddress, { error: 'must be an address like https://s3.example.org' })
const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
  error: 'must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
})
const regionName = z.string().regex(/^[\w-]{1,64}$/, { error: 'must be the name of a region like eu-central-1' })

/** Decodes a percent-encoded text; an invalid one is empty. */
function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Headers as the specification of OpenTelemetry writes them: values are percent-encoded. */
const traceHeaders = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const entries = toItems(text).map((item): readonly [string, string] => {
    const [, name = '', value = ''] = /^([\w-]+)\s*=\s*(\S+)$/.exec(item) ?? []
    return [name, decodePercents(value)]
  })
  if (!entries.every(([name, value]) => name !== '' && /^[ -~]+$/.test(value)))
    context.addIssue({ code: 'custom', message: 'must look like authorization=Bearer%20abc, with commas between' })
  return Object.fromEntries(entries)
})

const schema = z.object({
  PORT: portNumber,
  HOST: z.string(),
  DATA_DIR: z.string().transform((text) => resolve(text)),
  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an address like postgresql://user:password@host:5432/database',
    })
    .optional(),
  OWNER_EMAIL: z.email({ error: 'must be an e-mail address' }),
  OWNER_PASSWORD: z.string().optional(),
  SEED: z.enum(seedKinds, { error: 'must be demo, samples, reference or none' }).optional(),
  SEED_DATE: z.iso.date({ error: 'must be a day like 2026-04-05' }).optional(),
  DEMO_PASSWORD: z.string().optional(),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, { error: 'must be an address like https://dala.example.org, without a path' })
    .optional(),
  TIME_ZONE: z.string().regex(/^[A-Za-z]+([/_+-][A-Za-z0-9]+)*$/, { error: 'must be a time zone like Asia/Tashkent' }),
  WORKING_HOURS: z.string().transform((text, context): WorkingHours => {
    const hours = readWorkingHours(text)
    if (!hours) context.addIssue({ code: 'custom', message: 'must be days and times like 1-6 09:00-18:00' })
    return hours ?? {}
  }),
  JWT_SECRET: keys.optional(),
  TWO_STEP_KEY: keys.optional(),
  CORS_ORIGINS: list(isOrigin, 'must be a list of origins like https://example.org, with commas between').optional(),
  TRUSTED_PROXIES: list(
    isAddressRange,
    'must be a list of addresses or ranges like 10.0.0.0/8, with commas between',
  ).optional(),
  LOGIN_THROTTLE: throttle,
  ADDRESS_THROTTLE: throttle,
  UPLOAD_FILE_MB: megabytes(1, 100),
  UPLOAD_QUOTA_MB: megabytes(1, 1_000_000),
  UPLOAD_QUOTA_FILES: wholeNumber(1, 1_000_000),
  UPLOAD_VIDEO_MB: megabytes(1, 16_384),
  UPLOAD_DOCUMENT_MB: megabytes(1, 1_024),
  UPLOAD_SUBTITLES_MB: megabytes(1, 10),
  UPLOAD_VIDEO_QUOTA_MB: megabytes(1, 10_000_000),
  UPLOAD_RESERVE_MB: megabytes(0, 1_000_000),
  DRAIN_SECONDS: wholeNumber(0, 60),
  VIDEO_CHECKS: z.enum(['on', 'off'], { error: 'must be on or off' }),
  REGISTRATION: z.enum(['on', 'off'], { error: 'must be on or off' }),
  REGISTER_THROTTLE: throttle,
  FORGOT_THROTTLE: throttle,
  LETTER_THROTTLE: throttle,
  WRITE_BUDGET: budget,
  STAFF_WRITE_BUDGET: budget,
  ADDRESS_WRITE_BUDGET: budget,
  INVITE_HOURS: wholeNumber(organisationSettings.invite_hours.min, organisationSettings.invite_hours.max),
  PASSWORD_POLICY: z.enum(['spec', 'strict'], { error: 'must be spec or strict' }),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an address like smtps://user:password@mail.example.org',
    })
    .optional(),
  MAIL_FROM: z.string().refine(isSender, { error: 'must be a sender like Dala <no-reply@example.org>' }).optional(),
  PUSH: z.enum(['on', 'off'], { error: 'must be on or off' }),
  AUDIT_DAYS: z
    .string()
    .refine((text) => /^\d{2,4}$/.test(text) && Number(text) >= 30 && Number(text) <= 3_650, {
      error: 'must be a number of days from 30 to 3650',
    })
    .transform(Number),
  CHAT_TICK_SECONDS: wholeNumber(1, 60),
  S3_ENDPOINT: storeAddress.optional(),
  S3_BUCKET: bucketName.optional(),
  S3_REGION: regionName.optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  BACKUP_AT: z
    .string()
    .regex(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, { error: 'must be a time like 03:00, or off' })
    .optional(),
  BACKUP_KEEP: keptBackups,
  BACKUP_BEFORE_MIGRATION: z.enum(['on', 'off'], { error: 'must be on or off' }),
  BACKUP_FOLDER: z
    .string()
    .transform((text) => resolve(text))
    .optional(),
  BACKUP_S3_BUCKET: bucketName.optional(),
  BACKUP_S3_PREFIX: z.string().regex(/^[a-z0-9-]{1,63}$/, {
    error: 'must have 1 to 63 small letters, digits and hyphens',
  }),
  BACKUP_S3_ENDPOINT: storeAddress.optional(),
  BACKUP_S3_REGION: regionName.optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  BACKUP_KEY: keyBytes.optional(),
  API_DOCS: z.enum(['open', 'signed-in', 'admins'], { error: 'must be open, signed-in or admins' }).optional(),
  METRICS_PORT: portNumber.optional(),
  METRICS_HOST: z.string(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(isServiceAddress, { error: 'must be an address like http://127.0.0.1:4318' })
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: traceHeaders.optional(),
  OTEL_SERVICE_NAME: z.string().regex(/^[\w.-]{1,63}$/, {
    error: 'must have 1 to 63 letters, digits, dots, hyphens and underscores',
  }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, { error: 'must be a number from 0 to 1' })
    .transform(Number),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    error: 'must be trace, debug, info, warn, error, fatal or silent',
  }),
  NODE_ENV: z.enum(['production', 'development', 'test'], { error: 'must be production, development or test' }),
} satisfies Record<Name, z.ZodType>)

export type Settings = ReturnType<typeof presentText>

/** Settings of an S3-compatible store and the key to it. */
export interface StoreSettings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const storeNames = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** The store of uploaded files; undefined without one. Throws a SettingsError for an incomplete one. */
function readStore(data: z.output<typeof schema>): StoreSettings | undefined {
  const [endpoint, bucket, region, accessKeyId, secretAccessKey] = storeNames.map((name) => data[name])
  if (endpoint && bucket && region && accessKeyId && secretAccessKey)
    return Object.freeze({ endpoint, bucket, region, accessKeyId, secretAccessKey })
  const missingNames = storeNames.filter((name) => data[name] === undefined)
  if (missingNames.length === storeNames.length) return undefined
  throw new SettingsError(
    `The settings ${storeNames.join(', ')} belong together: ${missingNames.join(', ')} must be set too.`,
  )
}

/** Bucket of scheduled backups, and the first part of the names of their objects. */
export interface BackupBucketSettings extends StoreSettings {
  prefix: string
}

/** The bucket of backups; undefined without one. Throws a SettingsError for an incomplete one. */
function readBackupBucket(data: z.output<typeof schema>): BackupBucketSettings | undefined {
  const bucket = data.BACKUP_S3_BUCKET
  if (bucket === undefined) return undefined
  const endpoint = data.BACKUP_S3_ENDPOINT ?? data.S3_ENDPOINT
  const region = data.BACKUP_S3_REGION ?? data.S3_REGION
  const accessKeyId = data.BACKUP_S3_ACCESS_KEY_ID ?? data.S3_ACCESS_KEY_ID
  const secretAccessKey = data.BACKUP_S3_SECRET_ACCESS_KEY ?? data.S3_SECRET_ACCESS_KEY
  if (endpoint && region && accessKeyId && secretAccessKey)
    return Object.freeze({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix: data.BACKUP_S3_PREFIX })
  throw new SettingsError(
    'The setting BACKUP_S3_BUCKET needs BACKUP_S3_ENDPOINT, BACKUP_S3_REGION, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY, or the same ones of S3_*.',
  )
}

/** Settings of scheduled backups. */
function readBackups(data: z.output<typeof schema>) {
  const bucket = readBackupBucket(data)
  const at = data.BACKUP_AT ?? (data.NODE_ENV === 'production' ? '03:00' : 'off')
  return Object.freeze({
    /** Time of the daily backup, `HH:MM`; undefined when none is scheduled. */
    at: at === 'off' ? undefined : at,
    keep: data.BACKUP_KEEP,
    /** Whether a copy precedes the migrations of a database with data. */
    beforeMigration: data.BACKUP_BEFORE_MIGRATION === 'on',
    folder: data.BACKUP_FOLDER ?? (bucket ? undefined : join(data.DATA_DIR, 'backups', 'scheduled')),
    bucket,
    /** Bytes of the key that encrypts backups. */
    key: data.BACKUP_KEY,
  })
}

/**
 * Reads the settings of the server.
 *
 * @param environment - The environment; empty values count as absent.
 * @returns A frozen object.
 * @throws A SettingsError that names the first invalid setting in a sentence.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const configuredValues = settingLines.map(({ name, preset }) => [
    name,
    environment[name]?.trim() || preset || undefined,
  ])
  const { data, error } = schema.safeParse(Object.fromEntries(configuredValues))
  if (error) {
    const [issue] = error.issues
    throw new SettingsError(`The setting ${issue?.path.join('.')} ${issue?.message}.`)
  }
  const { min, max } = passwordLengths[data.PASSWORD_POLICY]
  for (const name of ['OWNER_PASSWORD', 'DEMO_PASSWORD'] as const) {
    const length = data[name] === undefined ? min : [...data[name]].length
    if (length < min || length > max)
      throw new SettingsError(`The setting ${name} must be between ${min} and ${max} characters.`)
  }
  const settings = presentText(data, new Set(settingNames.filter((name) => environment[name]?.trim())))
  if (settings.production && ['demo', 'samples'].includes(settings.seed)) {
    throw new SettingsError(
      'The setting SEED must not be demo or samples in production: their accounts share one password.',
    )
  }
  if (settings.production && settings.databaseUrl !== undefined && settings.jwtSecrets === undefined) {
    throw new SettingsError(
      'The setting JWT_SECRET is needed in production with DATABASE_URL: all instances must sign alike.',
    )
  }
  return settings
}

/**
 * The keys that encrypt secrets of two-step sign-in. Instances share their signing keys, which still open
 * what they sealed after a separate key is set.
 */
function twoStepKeysOf({ TWO_STEP_KEY: configuredKeys, JWT_SECRET, DATABASE_URL }: z.output<typeof schema>) {
  const sharedSecret = DATABASE_URL === undefined ? undefined : JWT_SECRET
  return configuredKeys && sharedSecret ? [...configuredKeys, ...sharedSecret] : (configuredKeys ?? sharedSecret)
}

function presentText(data: z.output<typeof schema>, configuredNames: ReadonlySet<string>) {
  const isProduction = data.NODE_ENV === 'production'
  const host = data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST
  const publicUrl = data.PUBLIC_URL ?? `http://${host}:${data.PORT}`
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    ownerEmail: data.OWNER_EMAIL,
    ownerPassword: data.OWNER_PASSWORD,
    seed: data.SEED ?? (data.DATABASE_URL === undefined && !isProduction ? 'demo' : 'reference'),
    seedDate: data.SEED_DATE,
    demoPassword: data.DEMO_PASSWORD,
    publicUrl,
    timeZone: data.TIME_ZONE,
    workingHours: data.WORKING_HOURS,
    jwtSecrets: data.JWT_SECRET,
    twoStepKeys: twoStepKeysOf(data),
    corsOrigins: data.CORS_ORIGINS ?? [],
    trustedProxies: data.TRUSTED_PROXIES ?? [],
    loginThrottle: data.LOGIN_THROTTLE,
    addressThrottle: data.ADDRESS_THROTTLE,
    uploads: Object.freeze({
      fileBytes: data.UPLOAD_FILE_MB,
      quotaBytes: data.UPLOAD_QUOTA_MB,
      videoBytes: data.UPLOAD_VIDEO_MB,
      documentBytes: data.UPLOAD_DOCUMENT_MB,
      subtitlesBytes: data.UPLOAD_SUBTITLES_MB,
      quotaFiles: data.UPLOAD_QUOTA_FILES,
      videoQuotaBytes: data.UPLOAD_VIDEO_QUOTA_MB,
      reserveBytes: data.UPLOAD_RESERVE_MB,
    }),
    drainMs: data.DRAIN_SECONDS * 1_000,
    videoChecks: data.VIDEO_CHECKS === 'on',
    registration: data.REGISTRATION === 'on',
    registerThrottle: data.REGISTER_THROTTLE,
    forgotThrottle: data.FORGOT_THROTTLE,
    letterThrottle: data.LETTER_THROTTLE,
    writes: Object.freeze({
      person: data.WRITE_BUDGET,
      staff: data.STAFF_WRITE_BUDGET,
      address: data.ADDRESS_WRITE_BUDGET,
    }),
    inviteHours: data.INVITE_HOURS,
    passwordPolicy: data.PASSWORD_POLICY,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    push: data.PUSH === 'on',
    auditDays: data.AUDIT_DAYS,
    chatTickSeconds: data.CHAT_TICK_SECONDS,
    /** Store of uploaded files when they are not in the data folder. */
    store: readStore(data),
    backups: readBackups(data),
    apiDocs: data.API_DOCS ?? (isProduction ? 'signed-in' : 'open'),
    metricsPort: data.METRICS_PORT,
    metricsHost: data.METRICS_HOST,
    /** Where traces are sent, and how many; undefined without a collector. */
    traces:
      data.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : Object.freeze({
            endpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: data.OTEL_EXPORTER_OTLP_HEADERS ?? {},
            serviceName: data.OTEL_SERVICE_NAME,
            share: data.OTEL_TRACES_SAMPLER_ARG,
          }),
    logLevel: data.LOG_LEVEL,
    production: isProduction,
    /** Names of the settings that the environment sets. */
    configured: configuredNames,
  })
}
