/** Keeps what is being typed in this browser until it is saved: reloads, crashes and ended sessions lose nothing. */
import { keep, readKept } from '../../lib/kept/kept.ts'
import { type Attempts, isAttempts } from './saving/attempts.ts'
import type { FormValues } from './values.ts'

/** Whose draft of which record: nobody else who signs in here sees it. */
export interface DraftPlace {
  user: number
  resource: string
  /** The record's id, `new`, or what else the form stands for. */
  index: string
}

export interface KeptDraft {
  values: FormValues
  /** What the server had when it was typed; a draft of a later server value is joined with that. */
  base: FormValues | undefined
  /** When it was last typed in, ISO. */
  at: string
  /** Creates that were sent without an answer. */
  attempts: Attempts
}

const keyOf = ({ user, resource, index }: DraftPlace) => `draft/form/${user}/${resource}/${index}`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isFormValues(value: unknown): value is FormValues {
  return (
    isObject(value) &&
    isObject(value['shared']) &&
    isObject(value['texts']) &&
    Object.values(value['texts']).every(isObject)
  )
}

/** The draft of a record; undefined when there is none, or none that can be read. */
export function readDraft(place: DraftPlace): KeptDraft | undefined {
  try {
    const value: unknown = JSON.parse(readKept(keyOf(place)) ?? 'null')
    if (!isObject(value) || typeof value['at'] !== 'string' || !isFormValues(value['values'])) return undefined
    const { base, attempts } = value
    return {
      values: value['values'],
      base: isFormValues(base) ? base : undefined,
      at: value['at'],
      attempts: isAttempts(attempts) ? attempts : {},
    }
  } catch {
    return undefined
  }
}

/** Keeps a draft. */
export function keepDraft(place: DraftPlace, draft: KeptDraft): void {
  keep(keyOf(place), JSON.stringify(draft))
}

export function forgetDraft(place: DraftPlace): void {
  keep(keyOf(place), null)
}
