/**
 * Draft of a form, stored in this browser until the form is saved, so that no reload, crash or ended session
 * loses it.
 */
import { createDraft, type StoredDraft } from '../../lib/drafts/draft-store.ts'
import { isObject } from '../../lib/is-object.ts'
import { type CreateAttempts, isAttempts } from './saving/attempts.ts'
import type { FormValues } from './values.ts'

/** User and record that a draft belongs to: nobody else who signs in here sees it. */
export interface DraftPlace {
  user: number
  resource: string
  /** Id of the record that the draft belongs to, `new`, or another key of the form. */
  index: string
}

export interface FormDraft {
  values: FormValues
  /** Record on the server when the user typed the draft; with a later record, the draft is merged. */
  base: FormValues | undefined
  /** Time of the last keystroke in the form, ISO. */
  at: string
  /** Attempts to create a record that were sent without a response. */
  attempts: CreateAttempts
}

function isFormValues(value: unknown): value is FormValues {
  if (!isObject(value)) return false
  const { shared, texts } = value
  return isObject(shared) && isObject(texts) && Object.values(texts).every(isObject)
}

function parseFormDraft(storedDraft: unknown): FormDraft | undefined {
  if (!isObject(storedDraft)) return undefined
  const { values, base, at, attempts } = storedDraft
  if (typeof at !== 'string' || !isFormValues(values)) return undefined
  return {
    values,
    base: isFormValues(base) ? base : undefined,
    at,
    attempts: isAttempts(attempts) ? attempts : {},
  }
}

/** Unsaved values of the form of a record, stored in the browser. */
export const formDraft = ({ user, resource, index }: DraftPlace): StoredDraft<FormDraft> =>
  createDraft(`draft/form/${user}/${resource}/${index}`, parseFormDraft)
