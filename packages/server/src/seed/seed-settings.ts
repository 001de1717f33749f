/** What a seed is asked for and what it reports. */
import { randomInt } from 'node:crypto'
import type { PasswordPolicy, seedKinds } from '../settings.ts'

export interface SeedSettings {
  seed: (typeof seedKinds)[number]
  /** The day before which the samples took place, `YYYY-MM-DD`; that of the first start when absent. */
  day?: string
  /** The zone of that day; Asia/Tashkent when absent. */
  timeZone?: string
  ownerEmail: string
  ownerPassword?: string
  demoPassword?: string
  /** `spec` when absent. */
  passwordPolicy?: PasswordPolicy
}

/** What was made, and what a person has to be told once: the accounts with a generated password. */
export interface SeedReport {
  /** Names of the parts that were filled now: `roles`, `list tags`, `demo news`. */
  made: string[]
  owner?: { email: string; password: string | undefined }
  demo?: { password: string; emails: string[] }
}

// Without the letters and digits that are taken for each other.
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password of 16 random characters: the longest the spec's rule allows (requirements §5). */
export function generatePassword(): string {
  return Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}
