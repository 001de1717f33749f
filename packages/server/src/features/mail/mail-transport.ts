/** Hands letters to a mail server, or writes them to a folder when there is none. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Letter } from './letters.ts'

export interface PostSettings {
  /** Base address of links in letters; never taken from the `Host` header of a request. */
  publicUrl: string
  smtpUrl: string | undefined
  mailFrom: string
  dataDir: string
}

/**
 * Sends one letter to its recipient. A letter with an id has it in its Message-ID, by which servers recognise
 * the letter when it is sent again; in the folder it has one file, however often it is sent.
 *
 * @returns The file of the letter when there is no mail server.
 * @throws When the server refuses the letter.
 */
export type MailTransport = (recipient: string, letter: Letter, id?: string) => Promise<string | undefined>

/**
 * Timeouts of the mail server in milliseconds: one that does not answer must not block the letters behind.
 */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
// Options that forbid nodemailer to read files and addresses, because the content of a letter is complete.
const forbiddenAccess = { disableFileAccess: true, disableUrlAccess: true }

/** Loads nodemailer when the first letter is sent. */
const nodemailer = () => import('nodemailer')

/** Creates a lazy value: it is computed on first use, once. */
function lazyValue<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => (value ??= make())
}

/** Chooses the transport of letters by the settings. */
export function openTransport({ smtpUrl, mailFrom, dataDir, publicUrl }: PostSettings): MailTransport {
  /** Returns the message of a letter; an address of the sender without a name gets that of the organisation. */
  const messageOf = (recipient: string, { senderName, ...content }: Letter, id: string | undefined) => ({
    from: senderName === undefined || mailFrom.includes('<') ? mailFrom : { name: senderName, address: mailFrom },
    to: { name: '', address: recipient },
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(id !== undefined && { messageId: `<${id}@${new URL(publicUrl).hostname}>` }),
    ...content,
  })
  if (smtpUrl !== undefined) {
    const transport = lazyValue(async () =>
      (await nodemailer()).createTransport({ url: smtpUrl, ...timeouts, ...forbiddenAccess }),
    )
    return async (recipient, letter, id) => {
      const loadedTransport = await transport()
      await loadedTransport.sendMail(messageOf(recipient, letter, id))
      return undefined
    }
  }
  const transport = lazyValue(async () =>
    (await nodemailer()).createTransport({ streamTransport: true, buffer: true, ...forbiddenAccess }),
  )
  const folder = join(dataDir, 'outbox')
  return async (recipient, letter, id) => {
    const loadedTransport = await transport()
    const { message } = await loadedTransport.sendMail(messageOf(recipient, letter, id))
    if (!Buffer.isBuffer(message)) throw new Error('The letter was not written as a whole')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${id ?? `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`}.eml`
    // The file of a letter gets its final name only when it is complete; only this user may read it.
    await writeFile(join(folder, `.${name}.part`), message, { mode: 0o600 })
    await rename(join(folder, `.${name}.part`), join(folder, name))
    return join(folder, name)
  }
}
