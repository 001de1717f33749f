/** Findings of the doctor, and the time limit of its checks. */
import { settleWithin } from '../../domain/operations/limits.ts'

/** The outcome of one check: one sentence, and one more about what to do unless all is well. */
export type Finding =
  | { state: 'ok'; message: string }
  | { state: 'warning' | 'failure'; message: string; advice: string }

/** A check of an installation by its name. */
export interface Check {
  name: string
  run: () => Promise<Finding> | Finding
}

/** A finding as `--json` shows it. */
export type NamedFinding = { check: string } & Finding

/** Milliseconds after which a check counts as failed. */
export const checkLimit = 5_000

/** Milliseconds that a check waits for an answer from the network, below the limit of the check. */
export const networkLimit = 4_000

export const ok = (message: string): Finding => ({ state: 'ok', message })
export const warning = (message: string, advice: string): Finding => ({ state: 'warning', message, advice })
export const failure = (message: string, advice: string): Finding => ({ state: 'failure', message, advice })

const lateFinding = failure('The check did not end in time.', 'Run dala doctor again when the machine is less busy.')

/**
 * Runs checks together, each within its time limit.
 *
 * @param checks - The checks.
 * @param limit - Milliseconds for each.
 * @returns Their findings in the same order. A check that throws or does not end is a failure.
 */
export function runChecks(checks: readonly Check[], limit = checkLimit): Promise<NamedFinding[]> {
  return Promise.all(
    checks.map(async ({ name, run }) => {
      try {
        return { check: name, ...(await settleWithin(Promise.resolve().then(run), limit, lateFinding)) }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error'
        return {
          check: name,
          ...failure(`The check failed (${code}).`, 'Report this with the version of the program.'),
        }
      }
    }),
  )
}

/** Formats an amount of bytes: `12.5 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  return `${power === 0 ? bytes : (bytes / 1_024 ** power).toFixed(1)} ${units[power]}`
}

/** Formats an age in the largest whole unit: `3 hours`. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  return minutes < 2 * 1_440 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1_440)} days`
}
