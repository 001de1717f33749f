/** Reads the emails of a test from the folder that replaces a mail server. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { Mailer } from '../features/mail/mailer.ts'
import { readSettings } from '../settings.ts'
import { type ReadLetter, parseEmail } from './parse-email.ts'

const publicUrl = 'https://dala.example.org'

/** Creates the mailer of a test, with a folder of its own. */
export function openMailer(database: Database, dataDir: string) {
  const log: string[] = []
  const settings = readSettings({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl, NODE_ENV: 'test' })
  const mailer = new Mailer(database, settings, {
    sent: (template, file) => void log.push(`${template} ${file}`),
    failed: (error) => void log.push(String(error)),
  })
  return {
    log,
    /** Delivers pending emails and returns them in order. */
    letters: async (): Promise<ReadLetter[]> => {
      await mailer.deliver()
      const folder = join(dataDir, 'outbox')
      const takenLines = log.splice(0).map((line) => line.split(' ').slice(1).join(' '))
      const letters = takenLines.map((file) => parseEmail(readFileSync(file, 'utf8')))
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      return letters
    },
  }
}
