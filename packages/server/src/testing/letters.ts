/** Reads the letters of a test from the folder that stands in for a mail server. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { Mailer } from '../features/mail/mailer.ts'
import { readSettings } from '../settings.ts'

export interface ReadLetter {
  to: string
  subject: string
  text: string
  html: string
}

const publicUrl = 'https://dala.example.org'

/** The deliverer of a test, into a folder of its own. */
export function openMailer(database: Database, dataDir: string) {
  const log: string[] = []
  const settings = readSettings({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl, NODE_ENV: 'test' })
  const mailer = new Mailer(database, settings, {
    sent: (template, file) => void log.push(`${template} ${file}`),
    failed: (error) => void log.push(String(error)),
  })
  return {
    log,
    /** Delivers what waits. Out: the letters of this delivery, in order. */
    letters: async (): Promise<ReadLetter[]> => {
      await mailer.deliver()
      const folder = join(dataDir, 'outbox')
      const taken = log.splice(0).map((line) => line.split(' ').slice(1).join(' '))
      const letters = taken.map((file) => readLetter(readFileSync(file, 'utf8')))
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      return letters
    },
  }
}

/** The code of the link in a letter. */
export const codeIn = ({ text }: ReadLetter): string => /reset-password\?code=([\w-]+)/.exec(text)?.[1] ?? ''

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  const octets = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return encoding === 'quoted-printable' ? Buffer.from(octets, 'latin1').toString() : body
}

const headerOf = (head: string, name: string) =>
  (new RegExp(`^${name}: *(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? '').replace(/\r?\n[ \t]+/g, ' ')

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`, with the space between two of them gone. */
function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_whole, kind: string, body: string) =>
      decode(body.replaceAll('_', ' '), /b/i.test(kind) ? 'base64' : 'quoted-printable'),
    )
}

function readLetter(message: string): ReadLetter {
  const [head = '', ...rest] = message.split(/\r?\n\r?\n/)
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ''
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`)
  const part = (type: string) => {
    const found = parts.find((one) => headerOf(one, 'Content-Type').startsWith(type)) ?? ''
    const [partHead = '', ...body] = found.split(/\r?\n\r?\n/)
    return decode(body.join('\r\n\r\n'), headerOf(partHead, 'Content-Transfer-Encoding'))
  }
  return {
    to: headerOf(head, 'To').replace(/[<>]/g, ''),
    subject: decodeWords(headerOf(head, 'Subject')),
    text: part('text/plain'),
    html: part('text/html'),
  }
}
