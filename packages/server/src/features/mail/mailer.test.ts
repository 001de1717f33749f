import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toCyrillic, writtenLocales } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../db/database.ts'
import { queueMail, queueResetMail } from '../../domain/delivery/mails.ts'
import { labelsOf } from '../../resources/labels.ts'
import { readSettings } from '../../settings.ts'
import { openTestDatabase } from '../../testing/databases.ts'
import { buildUser } from '../../testing/factories.ts'
import { openMailer } from '../../testing/letters.ts'
import { type LetterParts, writeLetter } from './letters.ts'
import { Mailer } from './mailer.ts'

let database: Database
let dataDir: string
beforeEach(async () => {
  database = (await openTestDatabase()).database
  dataDir = mkdtempSync(join(tmpdir(), 'dala-mail-'))
})

const link = 'https://dala.example.org/user/reset-password?code=a&b'
const sentLetters: LetterParts[] = [
  { template: 'reset', payload: { name: 'Jamila' }, link, minutes: 30 },
  { template: 'welcome', link, hours: 24 },
  { template: 'confirmEmail', link, minutes: 30 },
  { template: 'passwordChanged', payload: { name: 'Jamila', time: '2026-03-01 15:00' } },
  { template: 'emailChanged', payload: { name: 'Jamila', time: '2026-03-01 15:00' } },
  { template: 'twoStepReset', payload: { name: 'Jamila', time: '2026-03-01 15:00' } },
  { template: 'invite', payload: { name: 'Jamila' }, link, hours: 72 },
  { template: 'test', payload: { name: 'Jamila' } },
]

describe('letters', () => {
  const inEveryLanguage = (letters: readonly LetterParts[]) =>
    writtenLocales.flatMap((locale) => letters.map((parts) => [parts.template, locale, parts] as const))
  test.each(inEveryLanguage(sentLetters))('renders the letter %s in %s completely', (_template, locale, parts) => {
    const { subject, text, html } = writeLetter(locale, parts)
    expect(`${subject}${text}${html}`).not.toMatch(/[{}]|undefined|\bmail\./)
    expect(text.includes('Jamila')).toBe('payload' in parts)
    expect(html).toContain(`<html lang="${locale}">`)
  })
  test.each(inEveryLanguage(sentLetters.filter((parts) => 'link' in parts)))(
    'includes the link of the letter %s in %s',
    (_t, locale, parts) => {
      const { text, html } = writeLetter(locale, parts)
      expect(text).toContain(link)
      expect(html).toContain('href="https://dala.example.org/user/reset-password?code=a&amp;b"')
    },
  )
  test('renders different letters for different languages', () => {
    const subjects = writtenLocales.map((locale) => writeLetter(locale, sentLetters[0] as LetterParts).subject)
    expect(new Set(subjects).size).toBe(writtenLocales.length)
  })
  test('leaves the name of the reader in a letter in Cyrillic as it is', () => {
    const { text, html } = writeLetter('kaa-Cyrl', { template: 'test', payload: { name: 'Jamila Qalilova' } })
    expect(text).toContain('Jamila Qalilova')
    expect(html).toContain('<html lang="kaa-Cyrl">')
    expect(text).toContain(toCyrillic(labelsOf('kaa')['mail.test.text'], 'kaa'))
  })
  test('escapes user input in a letter and keeps it on one line', () => {
    const name = `<img src=x onerror="alert('1')">\r\nBcc: x@example.org`
    const { subject, text, html } = writeLetter('en', { template: 'reset', payload: { name }, link, minutes: 30 })
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; Bcc: x@example.org')
    expect(text).not.toMatch(/^Bcc/m)
    expect(subject).not.toContain('img')
  })
})

describe('the language of an account', () => {
  test.each([
    ['uz', 'cyrillic', 'uz-Cyrl'],
    ['kaa', 'cyrillic', 'kaa-Cyrl'],
    ['kaa', 'latin', 'kaa'],
    ['ru', 'cyrillic', 'ru'],
  ])('gives a letter to an account in %s with the script %s the language %s', async (language, script, written) => {
    const email = `${language}-${script}@example.org`
    await buildUser(database, 'authenticated', { email, language, script })
    await database.transaction((trx) => queueResetMail(trx, email))
    const mails = await database.query(sql<{ locale: string }>`select locale from mails where recipient = ${email}`)
    expect(mails).toEqual([{ locale: written }])
  })
})

const queue = (recipient: string, name = 'Jamila') =>
  database.transaction((trx) =>
    queueMail(trx, recipient, 'kaa', 'emailChanged', { name, at: '2026-03-01T10:00:00.000Z' }),
  )

describe('delivery', () => {
  test('sends letters that set a password before all others, however many wait', async () => {
    await database.transaction((trx) =>
      trx.query(sql`
        insert into mails (recipient, locale, template, payload)
        select 'flood-' || n || '@example.org', 'en', 'emailChanged', '{"name": null, "at": "2026-03-01T10:00:00.000Z"}'
          from generate_series(1, 300) as n`),
    )
    await buildUser(database, 'authenticated', { username: 'jamila', email: 'jamila@example.org' })
    await database.transaction((trx) => queueResetMail(trx, 'jamila@example.org'))
    const acceptedLetters: string[] = []
    const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' })
    const mailer = new Mailer(database, settings, { sent: () => {}, failed: () => {} }, async (recipient) => {
      acceptedLetters.push(recipient)
      return undefined
    })
    expect(await mailer.deliver()).toBe(301)
    expect(acceptedLetters[0]).toBe('jamila@example.org')
  })

  test('writes each letter to a file that only this user reads when there is no mail server', async () => {
    const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' })
    const log: string[] = []
    const mailer = new Mailer(database, settings, {
      sent: (template, file) => void log.push(`${template} ${file}`),
      failed: (error) => void log.push(String(error)),
    })
    await queue('jamila@example.org')
    expect(await mailer.deliver()).toBe(1)
    const files = readdirSync(join(dataDir, 'outbox'))
    expect(files).toEqual([expect.stringMatching(/^[\dTZ-]+-[0-9a-f]{8}\.eml$/) as string])
    expect(statSync(join(dataDir, 'outbox', files[0] ?? '')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'outbox')).mode & 0o777).toBe(0o700)
    expect(log).toEqual([`emailChanged ${join(dataDir, 'outbox', files[0] ?? '')}`])
  })
  test('shows the time in a letter in the zone of the installation and the language of the recipient', async () => {
    const mailer = openMailer(database, dataDir)
    await queue('jamila@example.org')
    const [letter] = await mailer.letters()
    expect(letter?.to).toBe('jamila@example.org')
    expect(letter?.subject).toBe('Agropanel: Akkauntıńızdıń elektron pochtası ózgertildi')
    expect(letter?.text).toContain('2026-03-01 15:00')
    expect(letter?.html).toContain('Assalawma áleykum, Jamila!')
  })
  test('sends each letter once when several instances deliver', async () => {
    for (let index = 0; index < 5; index += 1) await queue(`person-${index}@example.org`)
    const acceptedLetters: string[] = []
    const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' })
    const buildMailer = () =>
      new Mailer(database, settings, { sent: () => {}, failed: () => {} }, async (recipient) => {
        acceptedLetters.push(recipient)
        return undefined
      })
    const sentCounts = await Promise.all([buildMailer().deliver(), buildMailer().deliver(), buildMailer().deliver()])
    expect(sentCounts.reduce((sum, count) => sum + count)).toBe(5)
    expect(new Set(acceptedLetters).size).toBe(5)
    expect(await buildMailer().deliver()).toBe(0)
  })
  test('retries a failed letter for a day', async () => {
    const triedTimes: string[] = []
    let isWorking = false
    const failures: unknown[] = []
    const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' })
    const log = { sent: () => {}, failed: (error: unknown) => void failures.push(error) }
    const mailer = new Mailer(database, settings, log, async (recipient) => {
      triedTimes.push(recipient)
      if (!isWorking) throw new Error('refused')
      return undefined
    })
    await queue('one@example.org')
    await queue('two@example.org')
    expect(await mailer.deliver()).toBe(0)
    expect([triedTimes, failures.length]).toEqual([['one@example.org', 'two@example.org'], 2])
    expect(await mailer.deliver()).toBe(0)
    expect(triedTimes).toHaveLength(2)
    // Columns round to milliseconds, so a time of this moment may be later than that of the next statement.
    await database.query(sql`update mails set due_at = now() - interval '1 minute'`)
    await database.query(
      sql`update mails set created_at = now() - interval '25 hours' where recipient = 'two@example.org'`,
    )
    isWorking = true
    expect(await mailer.deliver()).toBe(1)
    expect(triedTimes.at(-1)).toBe('one@example.org')
  })
  test('sends pending letters at the start and new ones afterwards', async () => {
    await queue('left@example.org')
    const acceptedLetters: string[] = []
    const waitingCallbacks: (() => void)[] = []
    const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' })
    const mailer = new Mailer(database, settings, { sent: () => {}, failed: () => {} }, async (recipient) => {
      acceptedLetters.push(recipient)
      waitingCallbacks.shift()?.()
      return undefined
    })
    const waitForLetter = () => new Promise<void>((resolve) => waitingCallbacks.push(resolve))
    const firstLetter = waitForLetter()
    mailer.start()
    await firstLetter
    const secondLetter = waitForLetter()
    await queue('added@example.org')
    await secondLetter
    await mailer.stop()
    expect(acceptedLetters).toEqual(['left@example.org', 'added@example.org'])
  })
})
