/** The emails that the tests' server has sent: without a mail server it writes them to a folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeInEmail, type ReadLetter, parseEmail } from '../packages/server/src/testing/parse-email.ts'
import { expect } from './fixtures.ts'

function readLettersOf(address: string): ReadLetter[] {
  const folder = join(process.env['JOURNEY_DATA'] ?? '', 'outbox')
  // The server creates the folder of sent emails with the first email.
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  return names
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((name) => parseEmail(readFileSync(join(folder, name), 'utf8')))
    .filter(({ to }) => to === address)
}

/** Waits for the email to an address whose subject contains `words`. */
export async function readLetterOf(address: string, subjectPart: string): Promise<ReadLetter> {
  const findLetter = () => readLettersOf(address).findLast(({ subject }) => subject.includes(subjectPart))
  await expect.poll(() => findLetter()?.subject, { message: `a letter to ${address}` }).toBeDefined()
  const letter = findLetter()
  if (!letter) throw new Error(`There is no letter to ${address}`)
  return letter
}

/** The path of the page behind an email's link; the host of the link comes from the settings. */
export function pageOf(letter: ReadLetter): string {
  const [link] = /https?:\/\/\S+/.exec(letter.text) ?? []
  if (link === undefined || codeInEmail(letter) === '') throw new Error(`No link in: ${letter.text}`)
  const { pathname, search } = new URL(link)
  return `${pathname}${search}`
}
