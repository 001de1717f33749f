/** Hashes passwords with argon2id, a limited number concurrently (checklist §1). */
import { createLimiter } from '../../resources/limiter.ts'

/** The minimum parameters of checklist §1. Each hash contains its own, so they can be raised later. */
const hashParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const limitHashing = createLimiter({ maxRunning: 4, maxWaiting: 64 })

/** Loads the hashing library with the first password, because most starts do not need its native code. */
const argon2 = () => import('@node-rs/argon2')

/** Hashes a password with a random salt. */
export function hashPassword(password: string): Promise<string> {
  return limitHashing(async () => (await argon2()).hash(password, hashParameters))
}

/** Compares a password, exactly as typed, with a hash. */
export function verifyPassword(storedHash: string, password: string): Promise<boolean> {
  return limitHashing(async () => (await argon2()).verify(storedHash, password))
}

/**
 * Tells whether a hash was made with lower parameters than today's; the next sign-in renews it (checklist
 * §1).
 */
export function isWeak(storedHash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(storedHash) ?? []
  return memory === undefined || Number(memory) < hashParameters.memoryCost || Number(time) < hashParameters.timeCost
}
