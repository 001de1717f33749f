/** Hashes passwords with argon2id, a bounded number at once (checklist §1). */
import { createBound } from '../../resources/bounded.ts'

/** Least parameters of checklist §1; they are kept in each hash, so they can rise later. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const bounded = createBound({ running: 4, waiting: 64 })

/** Loads the library with the first password: it brings machine code that no start of a filled database needs. */
const argon2 = () => import('@node-rs/argon2')

/** Hashes a password with a random salt. */
export function hashPassword(password: string): Promise<string> {
  return bounded(async () => (await argon2()).hash(password, parameters))
}

/** Compares a password, exactly as typed, with a hash. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return bounded(async () => (await argon2()).verify(stored, password))
}

/** Whether a hash was made with lower parameters than today's; it is renewed at the next sign-in (checklist §1). */
export function isWeak(stored: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored) ?? []
  return memory === undefined || Number(memory) < parameters.memoryCost || Number(time) < parameters.timeCost
}
