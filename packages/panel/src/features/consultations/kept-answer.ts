/** An answer that is being written, kept in this browser for the one who writes it. */
import { keep, readKept } from '../../lib/kept/kept.ts'

export interface KeptAnswer {
  text: string
  /** The version of the record that the writing began from. */
  version: number
  /** The answer that it had then. */
  before: string
}

const keyOf = (user: number, id: number) => `draft/answer/${user}/${id}`

function isKept(value: unknown): value is KeptAnswer {
  if (typeof value !== 'object' || value === null) return false
  if (!('text' in value && 'version' in value && 'before' in value)) return false
  return typeof value.text === 'string' && typeof value.version === 'number' && typeof value.before === 'string'
}

export function readAnswer(user: number, id: number): KeptAnswer | null {
  try {
    const value: unknown = JSON.parse(readKept(keyOf(user, id)) ?? 'null')
    return isKept(value) ? value : null
  } catch {
    return null
  }
}

export function keepAnswer(user: number, id: number, kept: KeptAnswer | null): void {
  keep(keyOf(user, id), kept && JSON.stringify(kept))
}
