import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings, settingLines, SettingsError } from './settings.ts'

const wrongSettings: readonly [name: string, value: string][] = [
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['DATABASE_URL', 'mysql://localhost/dala'],
  ['OWNER_EMAIL', 'owner'],
  ['OWNER_PASSWORD', 'abc'],
  ['OWNER_PASSWORD', 'a'.repeat(17)],
  ['SEED', 'all'],
  ['PUBLIC_URL', 'dala.example.org'],
  ['PUBLIC_URL', 'https://dala.example.org/path'],
  ['TIME_ZONE', "Asia/Tashkent'; drop"],
  ['WORKING_HOURS', '9-18'],
  ['WORKING_HOURS', '1-6 18:00-09:00'],
  ['JWT_SECRET', 'secret'],
  ['JWT_SECRET', 'a'.repeat(64)],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'null'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'proxy'],
  ['LOGIN_THROTTLE', '10'],
  ['LOGIN_THROTTLE', '0/15m'],
  ['ADDRESS_THROTTLE', '5/2d'],
  ['REGISTRATION', 'maybe'],
  ['VIDEO_CHECKS', 'weekly'],
  ['DRAIN_SECONDS', '61'],
  ['REGISTER_THROTTLE', '5'],
  ['FORGOT_THROTTLE', 'x/1h'],
  ['PASSWORD_POLICY', 'none'],
  ['SMTP_URL', 'https://mail.example.org'],
  ['MAIL_FROM', 'Dala'],
  ['MAIL_FROM', 'Dala <nobody>'],
  ['CHAT_TICK_SECONDS', '0'],
  ['CHAT_TICK_SECONDS', '61'],
  ['AUDIT_DAYS', '7'],
  ['AUDIT_DAYS', 'year'],
  ['WRITE_BUDGET', '60'],
  ['WRITE_BUDGET', '0/1m'],
  ['STAFF_WRITE_BUDGET', '60/1m, 2000/25h'],
  ['ADDRESS_WRITE_BUDGET', '1/1s, 1/1m, 1/1h, 1/24h'],
  ['LETTER_THROTTLE', 'many'],
  ['TWO_STEP_KEY', 'short'],
  ['UPLOAD_FILE_MB', '0'],
  ['UPLOAD_FILE_MB', '10.5'],
  ['UPLOAD_QUOTA_MB', '1000001'],
  ['UPLOAD_QUOTA_FILES', '-1'],
  ['UPLOAD_RESERVE_MB', 'all'],
  ['S3_ENDPOINT', 's3.example.org'],
  ['S3_ENDPOINT', 'https://key:secret@s3.example.org'],
  ['S3_BUCKET', 'Files/of/dala'],
  ['S3_REGION', 'eu central'],
  ['API_DOCS', 'nobody'],
  ['METRICS_PORT', 'on'],
  ['METRICS_PORT', '70000'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://key:secret@collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%0Aabc'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%FF'],
  ['OTEL_SERVICE_NAME', 'dala of Nukus'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ['LOG_LEVEL', 'loud'],
  ['NODE_ENV', 'prod'],
]

test.each(wrongSettings)('refuses the setting %s=%s with a sentence that names it', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(SettingsError)
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^The setting ${name} must .*\\.$`))
})

test('returns where traces go only when a collector is set', () => {
  expect(readSettings({ OTEL_TRACES_SAMPLER_ARG: '0.25' }).traces).toBeUndefined()
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(readSettings(collector).traces).toEqual({
    endpoint: 'http://127.0.0.1:4318',
    headers: {},
    serviceName: 'dala',
    share: 1,
  })
  const headers = 'authorization=Bearer%20a=b, x-tenant = 7'
  expect(
    readSettings({ ...collector, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: '0.25' }).traces,
  ).toMatchObject({ headers: { authorization: 'Bearer a=b', 'x-tenant': '7' }, share: 0.25 })
})

test('returns default settings for an empty environment', () => {
  expect(readSettings({ PORT: ' ', SEED: '' })).toMatchObject({
    port: 1337,
    host: '127.0.0.1',
    seed: 'demo',
    publicUrl: 'http://127.0.0.1:1337',
    timeZone: 'Asia/Tashkent',
    loginThrottle: { failures: 10, seconds: 900 },
    addressThrottle: { failures: 100, seconds: 900 },
    uploads: { fileBytes: 10_485_760, quotaBytes: 524_288_000, quotaFiles: 5_000, reserveBytes: 209_715_200 },
    writes: {
      person: [
        { amount: 60, seconds: 60 },
        { amount: 2_000, seconds: 86_400 },
      ],
      staff: [
        { amount: 200_000, seconds: 60 },
        { amount: 1_000_000, seconds: 86_400 },
      ],
      address: [
        { amount: 1_200, seconds: 60 },
        { amount: 100_000, seconds: 86_400 },
      ],
    },
    letterThrottle: { failures: 20, seconds: 3_600 },
    trustedProxies: [],
    production: false,
  })
})

test('seeds no demo content on a PostgreSQL server or in production by default', () => {
  expect(readSettings({ DATABASE_URL: 'postgresql://localhost/dala' }).seed).toBe('reference')
  expect(readSettings({ NODE_ENV: 'production' }).seed).toBe('reference')
  expect(() => readSettings({ NODE_ENV: 'production', SEED: 'demo' })).toThrow(SettingsError)
  expect(() => readSettings({ NODE_ENV: 'production', SEED: 'samples' })).toThrow(SettingsError)
  expect(() => readSettings({ NODE_ENV: 'production', DATABASE_URL: 'postgresql://localhost/dala' })).toThrow(
    /JWT_SECRET/,
  )
})

test('encrypts two-step secrets with the shared key of instances on a PostgreSQL server', () => {
  const [JWT_SECRET, TWO_STEP_KEY] = ['signing-key-0123456789-abcdefghijklm', 'two-step-key-0123456789-abcdefghijkl']
  const sharedSettings = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://localhost/dala', JWT_SECRET }
  expect(readSettings(sharedSettings).twoStepKeys).toEqual([JWT_SECRET])
  expect(readSettings({ ...sharedSettings, TWO_STEP_KEY }).twoStepKeys).toEqual([TWO_STEP_KEY, JWT_SECRET])
  expect(readSettings({ JWT_SECRET }).twoStepKeys).toBeUndefined()
  expect(readSettings({ JWT_SECRET, TWO_STEP_KEY }).twoStepKeys).toEqual([TWO_STEP_KEY])
})

test('requires passwords in settings to be as long as the policy asks', () => {
  expect(() => readSettings({ PASSWORD_POLICY: 'strict', OWNER_PASSWORD: 'Harvest-2026' })).toThrow(
    /^The setting OWNER_PASSWORD must be between 15 and 64 characters\.$/,
  )
  const longSecret = 'melons grow in the south'
  expect(readSettings({ PASSWORD_POLICY: 'strict', OWNER_PASSWORD: longSecret }).ownerPassword).toBe(longSecret)
})

test('sends letters from the public address unless another sender is set', () => {
  expect(readSettings({ PUBLIC_URL: 'https://dala.example.org' }).mailFrom).toBe('no-reply@dala.example.org')
  expect(readSettings({ MAIL_FROM: 'Dala <office@example.org>' }).mailFrom).toBe('Dala <office@example.org>')
})

test('freezes the settings object', () => {
  expect(Object.isFrozen(readSettings({}))).toBe(true)
})

test('has a description of every setting', () => {
  for (const { name, description } of settingLines) expect([name, description.length > 10]).toEqual([name, true])
})

test('documents the settings in the README as the program has them', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `([A-Z0-9_]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map((row) => row.slice(1))
  expect(rows).toEqual(
    settingLines.map(({ name, preset, description }) => [name, preset === '' ? '–' : `\`${preset}\``, description]),
  )
})

test('requires all settings of an object store or none', () => {
  const wholeSettings = {
    S3_ENDPOINT: 'https://s3.example.org',
    S3_BUCKET: 'dala-files',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'the-key',
    S3_SECRET_ACCESS_KEY: 'the-secret',
  }
  expect(readSettings({}).store).toBeUndefined()
  expect(readSettings(wholeSettings).store).toEqual({
    endpoint: 'https://s3.example.org',
    bucket: 'dala-files',
    region: 'eu-central-1',
    accessKeyId: 'the-key',
    secretAccessKey: 'the-secret',
  })
  for (const name of Object.keys(wholeSettings)) {
    const readIncompleteSettings = () => readSettings({ ...wholeSettings, [name]: '' })
    expect(readIncompleteSettings).toThrow(SettingsError)
    expect(readIncompleteSettings).toThrow(new RegExp(`belong together: ${name} must be set too\\.$`))
    expect(readIncompleteSettings).not.toThrow(/the-secret/)
  }
})

describe('settings of backups', () => {
  const key = '0123456789abcdef'.repeat(4)

  test('takes a backup at night in production, and none elsewhere unless a time is set', () => {
    const production = { NODE_ENV: 'production', SEED: 'none' }
    expect(readSettings(production).backups.at).toBe('03:00')
    expect(readSettings({ ...production, BACKUP_AT: 'off' }).backups.at).toBeUndefined()
    expect(readSettings({}).backups.at).toBeUndefined()
    expect(readSettings({ BACKUP_AT: '23:30' }).backups.at).toBe('23:30')
  })

  test('stores backups in the data folder unless a folder or a bucket is set', () => {
    expect(readSettings({ DATA_DIR: '/var/data' }).backups.folder).toBe('/var/data/backups/scheduled')
    expect(readSettings({ BACKUP_FOLDER: '/mnt/copies' }).backups.folder).toBe('/mnt/copies')
  })

  test('uses the store of uploaded files for a bucket of backups, or a store of its own', () => {
    const store = {
      S3_ENDPOINT: 'https://s3.example.org',
      S3_BUCKET: 'dala-files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'the-key',
      S3_SECRET_ACCESS_KEY: 'the-secret',
    }
    const { backups } = readSettings({ ...store, BACKUP_S3_BUCKET: 'copies', BACKUP_S3_REGION: 'elsewhere' })
    expect(backups.folder).toBeUndefined()
    expect(backups.bucket).toEqual({
      endpoint: 'https://s3.example.org',
      bucket: 'copies',
      region: 'elsewhere',
      accessKeyId: 'the-key',
      secretAccessKey: 'the-secret',
      prefix: 'dala',
    })
    expect(() => readSettings({ BACKUP_S3_BUCKET: 'copies' })).toThrow(/BACKUP_S3_BUCKET needs BACKUP_S3_ENDPOINT/)
  })

  test('reads a key in hexadecimal and in base64', () => {
    const bytes = Buffer.from(key, 'hex')
    expect(readSettings({ BACKUP_KEY: key }).backups.key?.equals(bytes)).toBe(true)
    expect(readSettings({ BACKUP_KEY: bytes.toString('base64') }).backups.key?.equals(bytes)).toBe(true)
  })

  test('reads how many backups are kept', () => {
    expect(readSettings({}).backups.keep).toEqual({ daily: 7, weekly: 4, monthly: 12 })
    expect(readSettings({ BACKUP_KEEP: '3d' }).backups.keep).toEqual({ daily: 3, weekly: 0, monthly: 0 })
    expect(readSettings({ BACKUP_KEEP: '3d, 2w' }).backups.keep).toEqual({ daily: 3, weekly: 2, monthly: 0 })
  })

  test.each([
    ['BACKUP_AT', '3:00'],
    ['BACKUP_AT', '24:00'],
    ['BACKUP_KEEP', '0d'],
    ['BACKUP_KEEP', '7'],
    ['BACKUP_KEEP', '7d,54w'],
    ['BACKUP_KEY', key.slice(1)],
    ['BACKUP_KEY', '0'.repeat(64)],
    ['BACKUP_KEY', 'a sentence that is not a key at all, but long'],
    ['BACKUP_S3_BUCKET', 'No'],
    ['BACKUP_S3_PREFIX', '../up'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`The setting ${name} must`))
  })
})
