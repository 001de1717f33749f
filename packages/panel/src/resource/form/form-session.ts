/**
 * An open form, without React: the values that typing started from, the pending conflicts, and the plan of a
 * save. The inputs hold the typed values, which are passed to each function; it returns the next session.
 */
import { type Entry, isLocale, type Locale, locales, type Resource } from '@dala/model'
import type { CreateAttempts } from './saving/attempts.ts'
import { refusalOf, StepError } from './saving/failure.ts'
import {
  type Conflict,
  decideConflicts,
  type FieldPlace,
  isSame,
  keyOfPlace,
  mergeValues,
  type ConflictSide,
} from './saving/merge.ts'
import { markAllFields, checkSteps, type FormIssue, planSave, type SavePlan } from './saving/plan.ts'
import { type FormRights, needsReason } from './rights.ts'
import { familyOf, type FormValues, nameOfField, type TouchedFields, type Values } from './values.ts'

/** Conflict about a field that both sides have changed, with the common original value. */
type PendingConflict = FieldPlace & { base: unknown }

export interface FormSession {
  /** Values of the record on the server when typing started. */
  readonly base: FormValues
  /** Fields that the user and a colleague have changed in different ways. */
  readonly pendingConflicts: readonly PendingConflict[]
  /** Conflicts of typed with newer stored values, which the open dialog asks about. */
  readonly openConflicts: readonly Conflict[]
}

/** Resource of a form, and the permissions of its user. */
export interface FormScope {
  resource: Resource
  rights: FormRights
  /** Visible language of the form. */
  language: Locale
}

/** State of the form's inputs: the values, and which of them were changed. */
export interface TypedForm {
  values: FormValues
  touchedFields: TouchedFields
}

export const openSession = (base: FormValues): FormSession => ({ base, pendingConflicts: [], openConflicts: [] })

const placeValue = ({ shared, texts }: FormValues, { field, locale }: FieldPlace) =>
  (locale ? texts[locale] : shared)?.[field]

/**
 * Typed values that differ from the server's. Only these are set in the inputs, because each one renders its
 * field.
 */
function changedValues({ shared, texts }: FormValues, storedValues: FormValues): FormValues {
  const pickChanges = (values: Values, formerValues: Values = {}): Values =>
    Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== formerValues[name]))
  const languages = locales.flatMap((locale) => {
    const values = texts[locale]
    return values ? [[locale, pickChanges(values, storedValues.texts[locale])] as const] : []
  })
  return { shared: pickChanges(shared, storedValues.shared), texts: Object.fromEntries(languages) }
}

/** Result of merging a newer record with the typed values. */
export interface LoadedSession {
  session: FormSession
  /** Typed values of the inputs that differ from the server's. */
  typed: FormValues
  /** Fields that took the value of the server in the merge. */
  mergedFields: FieldPlace[]
}

/**
 * Loads a newer record into an open form: changes made there stay, the other fields take the new values.
 *
 * @param session - The session.
 * @param resource - The resource of the form.
 * @param storedValues - The values on the server now.
 * @param typedValues - The values that were typed here.
 * @param baseValues - The values that this typing started from, if an older page started it.
 * @returns The next session, the values of the inputs, and the places that took the server's value.
 */
export function loadRecord(
  session: FormSession,
  resource: Resource,
  storedValues: FormValues,
  typedValues: FormValues,
  baseValues: FormValues = session.base,
): LoadedSession {
  const { values, conflicts, mergedFields } = mergeValues(resource, baseValues, typedValues, storedValues)
  const conflictKeys = new Set(conflicts.map(keyOfPlace))
  const pendingConflicts = [
    ...session.pendingConflicts.filter((fieldConflict) => !conflictKeys.has(keyOfPlace(fieldConflict))),
    ...conflicts,
  ]
  return {
    session: { ...session, base: storedValues, pendingConflicts },
    typed: changedValues(values, storedValues),
    mergedFields,
  }
}

/** Conflicts of a form session whose two values still differ. */
export const conflictsOf = (
  { base, pendingConflicts: unsettledConflicts }: FormSession,
  typedValues: FormValues,
): Conflict[] =>
  unsettledConflicts
    .map((fieldConflict) => ({
      ...fieldConflict,
      mine: placeValue(typedValues, fieldConflict),
      theirs: placeValue(base, fieldConflict),
    }))
    .filter(({ mine, theirs }) => !isSame(mine, theirs))

/** Opens the dialog with the conflicts of typed and newer stored values. */
export const openSessionConflicts = (session: FormSession, openConflicts: readonly Conflict[]): FormSession => ({
  ...session,
  openConflicts,
})

/** Closes the question with the values that the user chose, by the keys of their places. */
export function chooseValues(
  session: FormSession,
  typedValues: FormValues,
  chosenSides: Readonly<Record<string, ConflictSide>>,
): { session: FormSession; typed: FormValues } {
  return { session: openSession(session.base), typed: decideConflicts(typedValues, session.openConflicts, chosenSides) }
}

/**
 * Returns the session after a save, or after changes were discarded: typing starts again from these values.
 */
export const settleSession = (session: FormSession, base: FormValues): FormSession => ({
  ...session,
  base,
  pendingConflicts: [],
})

/** A create whose response was lost is repeated in the language in which it was sent. */
function languageOfCreate(attempts: CreateAttempts): Locale | undefined {
  const locale = attempts['record']?.draft['locale']
  return isLocale(locale) ? locale : undefined
}

/**
 * Plans the save of a form: the values and the calls for all changes.
 *
 * @param scope - The form.
 * @param record - The record on the server; null for a new one.
 * @param typedForm - The state of the inputs.
 * @param attempts - Creates that were sent without an answer.
 * @returns The plan; it has no steps when nothing was changed.
 */
export function planOf(
  scope: FormScope,
  record: Entry | null,
  typedForm: TypedForm,
  attempts: CreateAttempts,
): SavePlan {
  const { resource, rights } = scope
  const values = structuredClone(typedForm.values)
  // The reason for a change of state is sent with its transition, even if its text is unchanged.
  const touchedFields = needsReason(resource, rights, values.shared)
    ? { ...typedForm.touchedFields, shared: new Set([...typedForm.touchedFields.shared, 'reason']) }
    : typedForm.touchedFields
  const language = record ? scope.language : (languageOfCreate(attempts) ?? scope.language)
  const steps = planSave(rights.writableResource, values, touchedFields, familyOf(resource, record), language, record)
  return { values, touchedFields: touchedFields, language, record, steps }
}

/** Plans a new record with all the values of a record that another user deleted. */
export function planNewRecord({ rights, language }: FormScope, formValues: FormValues): SavePlan {
  const values = structuredClone(formValues)
  const touchedFields = markAllFields(values)
  const steps = planSave(rights.writableResource, values, touchedFields, new Map(), language, null)
  return { values, touchedFields: touchedFields, language, record: null, steps }
}

/** Checks the plan of a save. Returns its wrong fields, those of the visible language first. */
export function checkPlan({ resource, rights }: FormScope, { values, steps, language }: SavePlan): FormIssue[] {
  const issues = checkSteps(rights.writableResource, steps, language)
  const { reason } = values.shared
  const isMissing = needsReason(resource, rights, values.shared) && (typeof reason !== 'string' || reason.trim() === '')
  return isMissing ? [...issues, { name: 'shared.reason', code: 'state.reason', params: {} }] : issues
}

/** Result of pressing the save button of a form. */
export type SubmitResult =
  /** Outcome of saving when some fields are wrong. */
  | { kind: 'wrong'; issues: readonly FormIssue[] }
  /** Outcome of saving when the user must resolve conflicts first. */
  | { kind: 'conflict'; conflicts: readonly Conflict[] }
  | { kind: 'send'; plan: SavePlan }

/** Decides whether the plan of a save is sent. */
export function submitPlan(session: FormSession, scope: FormScope, plan: SavePlan): SubmitResult {
  const issues = checkPlan(scope, plan)
  if (issues.length > 0) return { kind: 'wrong', issues }
  const conflicts = conflictsOf(session, plan.values)
  return conflicts.length > 0 ? { kind: 'conflict', conflicts } : { kind: 'send', plan }
}

/** Fields of the form that the server has refused. */
export function refusedFields(resource: Resource, error: unknown): FormIssue[] {
  if (!(error instanceof StepError)) return []
  const { locale } = error.step
  const issues = refusalOf(error)?.issues ?? []
  return issues.map((issue) => ({ ...issue, name: nameOfField(resource, String(issue.path[0]), locale) }))
}
