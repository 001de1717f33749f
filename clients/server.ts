/** The server under test, and the data that the clients' tests create on it. */
import { randomUUID } from 'node:crypto'
import { ownerEmail, trialPassword } from '../scripts/lib/server-process.ts'

/** Address of a running server without a path; `npm run clients` starts one and sets it here. */
export const serverUrl = process.env['CLIENTS_SERVER'] ?? ''
if (serverUrl === '')
  throw new Error('CLIENTS_SERVER is not set: start these tests by `npm run clients` or `npm run test:unit`.')

export const apiUrl = `${serverUrl}/api`

export const owner = { identifier: ownerEmail, password: trialPassword }

/** Makes a word that occurs nowhere else on the server under test. */
export const uniqueWord = (start = 'w'): string => `${start}-${randomUUID().slice(0, 13)}`

/** A new farmer's account, as the body of its creation. */
export function farmer() {
  const username = uniqueWord('farmer')
  return { username, email: `${username}@example.org`, password: 'Field-and-rain-1' }
}

/** The smallest possible picture: one transparent pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)
