/** The settings of a seed and its report. */
import { randomInt } from 'node:crypto'
import type { PasswordPolicy, seedKinds } from '../settings.ts'

export interface SeedSettings {
  seed: (typeof seedKinds)[number]
  /** The day before which the samples take place, `YYYY-MM-DD`; by default that of the first start. */
  day?: string
  /** Time zone of the day of the seed, Asia/Tashkent by default. */
  timeZone?: string
  ownerEmail: string
  ownerPassword?: string
  demoPassword?: string
  /** Policy of the owner's password, `spec` by default. */
  passwordPolicy?: PasswordPolicy
}

/** The content that the seed created, and the accounts with a generated password, which are shown once. */
export interface SeedReport {
  /** Names of the seed's parts that were filled: `roles`, `list tags`, `demo news`. */
  filledParts: string[]
  owner?: { email: string; password: string | undefined }
  demo?: { password: string; emails: string[] }
}

// Alphabet of generated passwords, without letters and digits that look alike.
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/**
 * Generates a password of 16 random characters: the longest that the specification allows (requirements §5).
 */
export function generatePassword(): string {
  return Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}
