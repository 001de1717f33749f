import {
  locales,
  type LocalTexts,
  type OrganisationKey,
  organisationKeys,
  type OrganisationSetting,
  organisationSettings,
  type OrganisationState,
} from '@dala/model'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { calendarOf } from '../../db/calendar.ts'
import { sql } from '../../db/sql.ts'
import { queueMail } from '../../domain/delivery/mails.ts'
import { OrganisationSettings } from '../../domain/operations/organisation.ts'
import { environmentSettings, readSettings, settingLines } from '../../settings.ts'
import { testDatabaseWith } from '../../testing/databases.ts'
import { buildUpload } from '../../testing/factories.ts'
import { parseEmail } from '../../testing/parse-email.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { type LetterParts, writeLetter } from '../mail/letters.ts'
import { Mailer } from '../mail/mailer.ts'

// Tests have a wide limit of letters and hours in their environment, which are left out here.
const environment = { FORGOT_THROTTLE: '7/30s', LETTER_THROTTLE: '', WORKING_HOURS: '' }
const testApp = startResourceApp(async () => {}, environment)
const names = (values: Partial<LocalTexts> = {}): LocalTexts => ({
  ...(Object.fromEntries(locales.map((locale) => [locale, null])) as LocalTexts),
  ...values,
})

async function state(): Promise<OrganisationState> {
  const { status, body } = await testApp.ask('GET', '/organisation', undefined, 'owner')
  expect(status).toBe(200)
  return (body as { data: OrganisationState }).data
}
const settingOf = async (key: OrganisationKey) => (await state()).settings.find((setting) => setting.key === key)
const put = (values: object, version: number, role: 'owner' | 'super-admin' | 'admin' | 'authenticated' = 'owner') =>
  testApp.ask('PUT', '/organisation', { data: { version, values } }, role)
const change = async (values: object) => {
  const { status, body } = await put(values, (await state()).version)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { data: OrganisationState }).data
}
const register = (name: string) =>
  testApp.ask(
    'POST',
    '/auth/local/register',
    { username: name, email: `${name}@example.org`, password: 'Cotton-24' },
    'public',
  )

/** A right value and wrong ones for each kind, with the paths of their errors. */
const samples: Readonly<
  Record<
    OrganisationSetting['kind'],
    { right: (setting: OrganisationSetting) => unknown; wrong: [unknown, string[]][] }
  >
> = {
  switch: {
    right: () => false,
    wrong: [
      ['off', []],
      [0, []],
    ],
  },
  choice: {
    right: (setting) => (setting.kind === 'choice' ? setting.options.at(-1) : undefined),
    wrong: [
      ['lax', []],
      [true, []],
    ],
  },
  amount: {
    right: (setting) => (setting.kind === 'amount' ? setting.max : undefined),
    wrong: [
      [0, []],
      [1_000_000, []],
      [1.5, []],
      ['72', []],
    ],
  },
  week: {
    right: () => '1-5 08:00-17:00, 6 09:00-13:00',
    wrong: [
      ['', []],
      ['daily', []],
      ['1-5 18:00-09:00', []],
      ['1-8 09:00-18:00', []],
      [`${'1 09:00-18:00,'.repeat(20)}1 09:00-18:00`, []],
      [{ 1: { from: 540, to: 1080 } }, []],
    ],
  },
  attempts: {
    right: () => ({ failures: 3, seconds: 120 }),
    wrong: [
      ['10/15m', []],
      [{ failures: 0, seconds: 120 }, ['failures']],
      [{ failures: 10_001, seconds: 120 }, ['failures']],
      [{ failures: 3, seconds: 59 }, ['seconds']],
      [{ failures: 3, seconds: 86_401 }, ['seconds']],
      [{ failures: 3 }, ['seconds']],
      [{ failures: 3, seconds: 120, more: 1 }, []],
    ],
  },
  picture: {
    right: async () => ({ id: await buildUpload(testApp.database) }),
    wrong: [
      [1, []],
      [{}, ['id']],
      [{ id: 0 }, ['id']],
      [{ id: 1, hash: 'x' }, []],
    ],
  },
  texts: {
    right: () => names({ en: 'Agro <b>Centre</b>' }),
    wrong: [
      ['Agro', []],
      [{ ...names(), de: 'Agrar' }, []],
      [names({ ru: 'x'.repeat(1_001) }), ['ru']],
      [names({ uz: 'a\ttab' }), ['uz']],
      [names({ uz: 'Windows\r\nlines' }), ['uz']],
      [names({ kaa: ' ' }), ['kaa']],
      [{ en: 'Agro', ru: null, uz: null }, ['kaa']],
    ],
  },
}
/** A letter of each template. */
const letters: readonly LetterParts[] = [
  { template: 'reset', payload: { name: 'Jamila' }, link: 'https://example.org/x', minutes: 30 },
  { template: 'invite', payload: { name: 'Jamila' }, link: 'https://example.org/x', hours: 72 },
  { template: 'welcome', link: 'https://example.org/x', hours: 24 },
  { template: 'confirmEmail', link: 'https://example.org/x', minutes: 30 },
  { template: 'passwordChanged', payload: { name: 'Jamila', time: '2026-03-01 15:00' } },
  { template: 'emailChanged', payload: { name: 'Jamila', time: '2026-03-01 15:00' } },
  { template: 'twoStepReset', payload: { name: 'Jamila', time: '2026-03-01 15:00' } },
  { template: 'test', payload: { name: 'Jamila' } },
  { template: 'notice', payload: { name: 'Jamila' }, lines: [{ text: 'News', link: null }], link: 'https://e.org/n' },
  { template: 'digest', payload: { name: 'Jamila' }, lines: [{ text: 'News', link: null }], link: 'https://e.org/n' },
  {
    template: 'postDecision',
    payload: { outcome: 'processed', title: 'Melons', reason: '', name: 'Jamila', entry: null },
    link: 'https://example.org/p',
  },
  {
    template: 'report',
    letter: { name: 'Jamila', title: 'Prices', by: null, link: 'https://example.org/r', file: null },
  },
]
const free = organisationKeys.filter((key) => key !== 'forgot_throttle')

beforeEach(async () => {
  const { settings } = await state()
  const stored = settings.filter(({ source }) => source === 'stored').map(({ key }) => [key, null] as const)
  if (stored.length > 0) await change(Object.fromEntries(stored))
})

describe('GET /api/organisation', () => {
  test('answers the values with their sources, and no value of the environment', async () => {
    const { settings, environment: variables } = await state()
    expect(settings.map(({ key }) => key)).toEqual(organisationKeys)
    expect(settings.filter(({ source }) => source === 'environment').map(({ key }) => key)).toEqual(
      expect.arrayContaining(['forgot_throttle']),
    )
    expect(await settingOf('forgot_throttle')).toMatchObject({ value: { failures: 7, seconds: 30 } })
    expect(await settingOf('registration')).toMatchObject({ value: true, source: 'default' })
    expect(variables.find(({ name }) => name === 'DATA_DIR')).toEqual({
      name: 'DATA_DIR',
      is_set: true,
      reason: 'place',
    })
    expect(variables.find(({ name }) => name === 'JWT_SECRET')).toMatchObject({ reason: 'secret' })
  })

  test('shows every variable either as a setting or with the reason why it stays in the environment', () => {
    const inPanel = Object.values<OrganisationSetting>(organisationSettings).flatMap(({ variable }) => variable ?? [])
    const all = [...inPanel, ...environmentSettings.map(({ name }) => name)]
    expect(all.toSorted()).toEqual(settingLines.map(({ name }) => name).toSorted())
  })

  test.each(['super-admin', 'admin', 'authenticated'] as const)('is refused to %s, as is a change', async (role) => {
    expect((await testApp.ask('GET', '/organisation', undefined, role)).status).toBe(403)
    expect((await put({ registration: false }, 0, role)).status).toBe(403)
    expect(await settingOf('registration')).toMatchObject({ value: true })
  })
})

describe('PUT /api/organisation', () => {
  test.each(free)('stores %s, shows it as stored, and returns to the default', async (key) => {
    const { kind } = organisationSettings[key]
    const preset = (await settingOf(key))?.value
    const value = await samples[kind].right(organisationSettings[key])
    await change({ [key]: value })
    expect(await settingOf(key)).toMatchObject({ value, preset, source: 'stored' })
    await change({ [key]: null })
    expect(await settingOf(key)).toMatchObject({ value: preset, source: 'default' })
  })

  test.each(free)('refuses wrong values of %s at their places, and stores nothing', async (key) => {
    const before = await state()
    for (const [value, path] of samples[organisationSettings[key].kind].wrong) {
      const { status, body } = await put({ registration: false, [key]: value }, before.version)
      expect([status, body]).toMatchObject([422, { error: { details: { errors: [{ path: [key, ...path] }] } } }])
    }
    expect(await state()).toEqual(before)
  })

  test('accepts several lines in the texts of letters, and not in the name', async () => {
    const lines = names({ uz: 'two\nlines' })
    await change({ letter_closing: lines, letter_contact: lines, letter_invitation: lines })
    expect(await settingOf('letter_contact')).toMatchObject({ value: lines })
    const { status, body } = await put({ name: lines }, (await state()).version)
    expect([status, body]).toMatchObject([422, { error: { details: { errors: [{ path: ['name', 'uz'] }] } } }])
  })

  test.each([
    ['name', 80],
    ['letter_closing', 200],
    ['letter_contact', 500],
    ['letter_invitation', 1_000],
  ] as const)('accepts %s with %i characters, and refuses a longer one', async (key, length) => {
    await change({ [key]: names({ kaa: 'x'.repeat(length) }) })
    const { status } = await put({ [key]: names({ kaa: 'x'.repeat(length + 1) }) }, (await state()).version)
    expect(status).toBe(422)
  })

  test('refuses unknown settings and an empty change', async () => {
    const { version } = await state()
    expect((await put({ jwt_secret: 'x' }, version)).status).toBe(422)
    expect((await put({}, version)).status).toBe(422)
  })

  test('refuses a setting of the environment with the name of its variable', async () => {
    const before = await state()
    const { status, body } = await put(
      { forgot_throttle: { failures: 1, seconds: 60 }, registration: false },
      before.version,
    )
    expect([status, body]).toMatchObject([
      409,
      { error: { code: 'organisation.locked', details: { params: { variable: 'FORGOT_THROTTLE' } } } },
    ])
    expect(await state()).toEqual(before)
  })

  test('refuses a stale version, and accepts one of two changes at the same time', async () => {
    const { version } = await state()
    const answers = await Promise.all([put({ registration: false }, version), put({ invite_hours: 5 }, version)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ error: { code: 'record.stale' } })
  })

  test('writes a line of history for each changed value, and none for an equal one', async () => {
    const { history: former } = await state()
    await change({ registration: false, invite_hours: 24 })
    const { history } = await change({ registration: false })
    const added = history.filter(({ id }) => !former.some((line) => line.id === id))
    expect(added).toMatchObject([
      { key: 'invite_hours', before: null, after: 24, by: { id: testApp.people['owner'] } },
      { key: 'registration', before: null, after: false, by: { id: testApp.people['owner'] } },
    ])
    const audited = await testApp.database.query(sql<{ user_id: number; details: object }>`
      select user_id, details from audit where action = 'organisation.change' order by id desc limit 1`)
    expect(audited).toEqual([
      { user_id: testApp.people['owner'], details: { setting: 'invite_hours', before: 'null', after: '24' } },
    ])
  })
})

describe('a change', () => {
  test('refuses the next registration when registration is switched off', async () => {
    expect((await register('before')).status).toBe(200)
    await change({ registration: false })
    expect((await testApp.ask('GET', '/auth/settings', undefined, 'public')).body).toMatchObject({
      registration: false,
    })
    expect(await register('after')).toMatchObject({ status: 400, body: { error: { code: 'auth.registration-off' } } })
    await change({ registration: null })
    expect((await register('again')).status).toBe(200)
  })

  test('limits the next sign-ins', async () => {
    const attempt = async () =>
      (
        await testApp.ask(
          'POST',
          '/auth/local',
          { identifier: 'throttled@example.org', password: 'wrong-password' },
          'public',
        )
      ).status
    await change({ login_throttle: { failures: 2, seconds: 600 } })
    expect([await attempt(), await attempt(), await attempt()]).toEqual([400, 400, 429])
    await change({ login_throttle: { failures: 50, seconds: 600 } })
    expect(await attempt()).toBe(400)
  })

  test('asks the next account for a password of the new policy', async () => {
    await change({ password_policy: 'strict' })
    expect((await testApp.ask('GET', '/auth/settings', undefined, 'public')).body).toMatchObject({
      password: { min: 15, max: 64 },
    })
    expect((await register('short')).status).toBe(400)
  })

  test('shows the name on the sign-in page and in letters, where it is text', async () => {
    const name = names({ en: 'Agro <b>Centre</b>' })
    await change({ name })
    expect((await testApp.ask('GET', '/auth/settings', undefined, 'public')).body).toMatchObject({ name })
    const organisation = new OrganisationSettings(testApp.database, readSettings({ NODE_ENV: 'test' }))
    await organisation.refresh()
    const { settings } = organisation
    const parts = { template: 'welcome', link: 'https://example.org/x', hours: 1 } as const
    const letter = writeLetter('en', parts, settings.letterTexts('en'))
    expect(letter.subject).toMatch(/^Agro <b>Centre<\/b>: /)
    expect(letter.text).toContain('--\nAgro <b>Centre</b>\n')
    expect(letter.html).toContain('<small>Agro &lt;b&gt;Centre&lt;/b&gt;<br>')
    expect(writeLetter('ru', parts, settings.letterTexts('ru')).text).toContain('--\nПанель управления агроуслугами\n')
  })

  test.each(letters)('puts its texts into the letter $template, and nothing without them', async (parts) => {
    const texts = {
      letter_invitation: names({ en: 'Welcome to <i>us</i>.' }),
      letter_closing: names({ en: 'With regards\nThe <b>staff</b>' }),
      letter_contact: names({ en: 'Nukus\n+998 61 222 00 00 & more' }),
    }
    const organisation = new OrganisationSettings(testApp.database, readSettings({ NODE_ENV: 'test' }))
    await organisation.refresh()
    expect(writeLetter('en', parts, organisation.settings.letterTexts('en'))).toEqual(writeLetter('en', parts))
    await change(texts)
    await organisation.refresh()
    const { text, html } = writeLetter('en', parts, organisation.settings.letterTexts('en'))
    expect(text).toMatch(
      /\n\nWith regards\nThe <b>staff<\/b>\n\n--\n[^\n]+\nNukus\n\+998 61 222 00 00 & more\n[^\n]+\n$/,
    )
    expect(html).toContain('<p>With regards<br>The &lt;b&gt;staff&lt;/b&gt;</p>')
    expect(html).toContain('<br>Nukus<br>+998 61 222 00 00 &amp; more<br>')
    expect(text.includes('Welcome to <i>us</i>.\n\nAn account was created')).toBe(parts.template === 'invite')
    expect(html.includes('<p>Welcome to &lt;i&gt;us&lt;/i&gt;.</p>')).toBe(parts.template === 'invite')
    expect(writeLetter('ru', parts, organisation.settings.letterTexts('ru'))).toEqual(writeLetter('ru', parts))
  })

  test('converts the texts of letters for readers of Cyrillic, but no address', async () => {
    await change({
      letter_closing: names({ uz: 'Hurmat bilan' }),
      letter_contact: names({ kaa: 'Nókis, info@agro.uz' }),
    })
    const organisation = new OrganisationSettings(testApp.database, readSettings({ NODE_ENV: 'test' }))
    await organisation.refresh()
    const { settings } = organisation
    expect([settings.letterTexts('uz').closing, settings.letterTexts('uz-Cyrl').closing]).toEqual([
      'Hurmat bilan',
      'Ҳурмат билан',
    ])
    expect([settings.letterTexts('kaa').contact, settings.letterTexts('kaa-Cyrl').contact]).toEqual([
      'Nókis, info@agro.uz',
      'Нөкис, info@agro.uz',
    ])
  })

  test('names the organisation as the sender of letters, unless MAIL_FROM has a name', async () => {
    await change({ name: names({ ru: 'Агроцентр "Нукус"' }), letter_contact: names({ ru: 'Нукус, ул. Ходжейли 1' }) })
    const sendersOf = async (mailFrom: string) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'dala-organisation-'))
      const settings = readSettings({ NODE_ENV: 'test', DATA_DIR: dataDir, MAIL_FROM: mailFrom })
      const organisation = new OrganisationSettings(testApp.database, settings)
      await organisation.refresh()
      await testApp.database.transaction((trx) =>
        queueMail(trx, 'reader@example.org', 'ru', 'test', { name: 'Jamila' }),
      )
      const failures: unknown[] = []
      const log = { sent: () => {}, failed: (error: unknown) => void failures.push(error) }
      await new Mailer(testApp.database, organisation.settings, log).deliver()
      expect(failures).toEqual([])
      const folder = join(dataDir, 'outbox')
      return readdirSync(folder).map((file) => parseEmail(readFileSync(join(folder, file), 'utf8')))
    }
    const [letter] = await sendersOf('no-reply@agro.uz')
    expect(letter?.from).toBe('Агроцентр "Нукус" <no-reply@agro.uz>')
    expect(letter?.text).toContain('Агроцентр "Нукус"\nНукус, ул. Ходжейли 1\n')
    expect((await sendersOf('Dala <no-reply@agro.uz>')).map(({ from }) => from)).toEqual(['Dala <no-reply@agro.uz>'])
  })

  test('gives the working hours and the target of decisions to the queue of trading posts', async () => {
    const target = async () => (await testApp.read<{ data: { target: object } }>('/tradinposts/queue')).data.target
    expect(await target()).toMatchObject({ hours: 4, working: { 6: { from: 540, to: 1080 } } })
    await change({ working_hours: '1 10:00-12:00', decision_hours: 9 })
    expect(await target()).toMatchObject({ hours: 9, working: { 1: { from: 600, to: 720 } } })
    await change({ working_hours: null, decision_hours: null })
    expect(await target()).toMatchObject({ hours: 4, working: { 6: { from: 540, to: 1080 } } })
  })

  test('leaves the working hours of the environment in use', async () => {
    const settings = readSettings({ NODE_ENV: 'test', WORKING_HOURS: '2 09:00-10:00' })
    const database = await testDatabaseWith(calendarOf(settings))
    const other = new OrganisationSettings(database, settings)
    await change({ working_hours: '1 10:00-12:00', first_reply_minutes: 15 })
    await other.refresh()
    expect(other.lockOf('working_hours')).toBe('WORKING_HOURS')
    expect(database.calendar).toMatchObject({
      workingHours: { 2: { from: 540, to: 600 } },
      replyMinutes: { first: 15, next: 120 },
    })
  })

  test('reaches other instances, but not a value that their environment sets', async () => {
    const otherEnvironment = { NODE_ENV: 'test', INVITE_HOURS: '9' }
    const other = new OrganisationSettings(testApp.database, readSettings(otherEnvironment))
    const end = other.follow((error) => expect(error).toBeUndefined())
    try {
      await change({ registration: false, invite_hours: 24 })
      await waitUntil(() => expect(other.settings.registration).toBe(false))
      expect(other.settings.inviteHours).toBe(9)
    } finally {
      end()
    }
  })

  test('that this program does not accept counts as absent', async () => {
    await testApp.database.query(sql`
      insert into organisation_settings (key, value) values ('invite_hours', '"soon"'), ('of_a_newer_program', '1')
      on conflict (key) do update set value = excluded.value`)
    const organisation = new OrganisationSettings(testApp.database, readSettings({ NODE_ENV: 'test' }))
    await organisation.refresh()
    expect(organisation.settings.inviteHours).toBe(72)
    expect(await settingOf('invite_hours')).toMatchObject({ value: 72, source: 'default' })
  })
})
